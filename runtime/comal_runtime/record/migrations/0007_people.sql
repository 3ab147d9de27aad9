-- Who came to be known while the host ran. The stamp is another after every change of these, and
-- never one that was there before, so that a change that was undone is noticed too.
CREATE TABLE identities (
  principal TEXT PRIMARY KEY, since DOUBLE PRECISION NOT NULL, added_by TEXT NOT NULL
);
CREATE TABLE identity_roles (
  principal TEXT NOT NULL REFERENCES identities (principal), role TEXT NOT NULL,
  since DOUBLE PRECISION NOT NULL, added_by TEXT NOT NULL,
  PRIMARY KEY (principal, role)
);
-- A link that ended is kept: who was one person at any time of a question's life counts as one.
CREATE TABLE identity_links (
  id INTEGER PRIMARY KEY, anchor TEXT NOT NULL, added TEXT NOT NULL,
  since DOUBLE PRECISION NOT NULL, until DOUBLE PRECISION
);
CREATE UNIQUE INDEX identity_links_now ON identity_links (anchor, added) WHERE until IS NULL;
CREATE TABLE link_offers (
  principal TEXT PRIMARY KEY, other TEXT NOT NULL, at DOUBLE PRECISION NOT NULL
);
CREATE TABLE identity_stamp (one INTEGER PRIMARY KEY, stamp TEXT NOT NULL);
INSERT INTO identity_stamp (one, stamp) VALUES (1, '');
CREATE TABLE owner_codes (
  id TEXT PRIMARY KEY, salt TEXT NOT NULL, hash TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'open', expires_at DOUBLE PRECISION NOT NULL
);
CREATE TABLE owner_code_tries (
  code TEXT NOT NULL REFERENCES owner_codes (id), principal TEXT NOT NULL, event TEXT NOT NULL,
  PRIMARY KEY (code, principal, event)
);
CREATE TABLE pairings (
  question TEXT PRIMARY KEY, principal TEXT NOT NULL, name TEXT NOT NULL, roles TEXT NOT NULL,
  channel TEXT NOT NULL, chat TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'open',
  asked_at DOUBLE PRECISION NOT NULL, ended_at DOUBLE PRECISION
);
CREATE UNIQUE INDEX pairings_open ON pairings (principal) WHERE state = 'open';
CREATE INDEX pairings_principal ON pairings (principal, ended_at);
