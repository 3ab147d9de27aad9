-- What a card's message was when its chat acknowledged it; a card in several messages has several.
CREATE TABLE showings (
  id INTEGER PRIMARY KEY,
  question TEXT NOT NULL, card TEXT NOT NULL, role TEXT NOT NULL,
  channel TEXT NOT NULL, chat TEXT NOT NULL, thread TEXT NOT NULL DEFAULT '',
  message TEXT NOT NULL, edited INTEGER NOT NULL, body TEXT NOT NULL, at DOUBLE PRECISION NOT NULL
);
CREATE INDEX showings_question ON showings (question);
-- Signed; each names the one before it, so that an amended one does not replace what was said.
CREATE TABLE receipts (
  question TEXT NOT NULL, number INTEGER NOT NULL,
  state TEXT NOT NULL, digest TEXT NOT NULL, body TEXT NOT NULL, made_at DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (question, number)
);
-- What somebody at the machine did without being entitled to it, and why.
CREATE TABLE overrides (
  id TEXT PRIMARY KEY, principal TEXT NOT NULL, reason TEXT NOT NULL, did TEXT NOT NULL,
  conversation TEXT, at DOUBLE PRECISION NOT NULL
);
