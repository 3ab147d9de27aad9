-- Times are epoch seconds; *_boot columns are seconds of the boot clock named by boot_id.
CREATE TABLE inbox (
  id INTEGER PRIMARY KEY,
  channel TEXT NOT NULL, event TEXT NOT NULL, digest TEXT NOT NULL, raw TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'new', error TEXT, received_at REAL NOT NULL,
  UNIQUE (channel, event, digest)
);
CREATE TABLE conversations (
  id TEXT PRIMARY KEY, private INTEGER NOT NULL DEFAULT 1, created_at REAL NOT NULL
);
CREATE TABLE addresses (
  channel TEXT NOT NULL, chat TEXT NOT NULL, thread TEXT NOT NULL DEFAULT '',
  conversation TEXT NOT NULL REFERENCES conversations (id),
  PRIMARY KEY (channel, chat, thread)
);
CREATE INDEX addresses_conversation ON addresses (conversation);
CREATE TABLE people (
  principal TEXT PRIMARY KEY, name TEXT NOT NULL, seen_at REAL NOT NULL
);
CREATE TABLE turns (
  id TEXT PRIMARY KEY, conversation TEXT NOT NULL, principal TEXT, channel TEXT NOT NULL,
  origin_event TEXT NOT NULL UNIQUE, state TEXT NOT NULL, reason TEXT,
  step INTEGER NOT NULL DEFAULT 0, epoch INTEGER NOT NULL DEFAULT 0,
  stop INTEGER NOT NULL DEFAULT 0, started_at REAL NOT NULL, ended_at REAL
);
CREATE INDEX turns_conversation ON turns (conversation, state);
CREATE TABLE history (
  id INTEGER PRIMARY KEY,
  conversation TEXT NOT NULL, turn TEXT NOT NULL, step INTEGER NOT NULL, place INTEGER NOT NULL,
  role TEXT NOT NULL, body TEXT NOT NULL, at REAL NOT NULL,
  UNIQUE (turn, step, place)
);
CREATE INDEX history_conversation ON history (conversation, id);
CREATE TABLE questions (
  id TEXT PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL,
  tool TEXT, definition_digest TEXT, args TEXT NOT NULL, args_digest TEXT NOT NULL,
  subject TEXT, summary TEXT NOT NULL,
  principal TEXT, channel TEXT NOT NULL, conversation TEXT, origin TEXT NOT NULL,
  request_id TEXT NOT NULL, call_key TEXT UNIQUE, secret_hash TEXT UNIQUE, route TEXT,
  idempotency_key TEXT NOT NULL,
  created_at REAL NOT NULL, expires_at REAL NOT NULL, masked TEXT NOT NULL DEFAULT '[]',
  decided_at REAL, decided_by TEXT, reason TEXT
);
CREATE INDEX questions_open ON questions (expires_at) WHERE state = 'open';
CREATE TABLE votes (
  question TEXT NOT NULL REFERENCES questions (id), person TEXT NOT NULL, identity TEXT NOT NULL,
  choice TEXT NOT NULL, reason TEXT, at REAL NOT NULL,
  PRIMARY KEY (question, person)
);
CREATE TABLE cards (
  id TEXT PRIMARY KEY, question TEXT NOT NULL REFERENCES questions (id), role TEXT NOT NULL,
  channel TEXT NOT NULL, chat TEXT NOT NULL, thread TEXT NOT NULL DEFAULT '',
  message TEXT, shown TEXT, created_at REAL NOT NULL
);
CREATE INDEX cards_question ON cards (question);
CREATE TABLE acts (
  key TEXT PRIMARY KEY, question TEXT, tool TEXT NOT NULL,
  args TEXT NOT NULL, args_digest TEXT NOT NULL,
  principal TEXT, channel TEXT NOT NULL, conversation TEXT,
  state TEXT NOT NULL, attempt INTEGER NOT NULL DEFAULT 0, instance TEXT,
  boot_id TEXT, claimed_boot REAL, deadline_boot REAL, deadline_at REAL,
  execute_by REAL NOT NULL, idempotency_key TEXT NOT NULL,
  result TEXT, reason TEXT, created_at REAL NOT NULL, started_at REAL, ended_at REAL
);
CREATE INDEX acts_open ON acts (state) WHERE state IN ('approved', 'started');
CREATE TABLE instances (
  id TEXT PRIMARY KEY, boot_id TEXT NOT NULL, lease_boot REAL NOT NULL, lease_at REAL NOT NULL
);
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY, idempotency TEXT NOT NULL UNIQUE,
  channel TEXT NOT NULL, chat TEXT NOT NULL, thread TEXT NOT NULL DEFAULT '',
  body TEXT NOT NULL, priority INTEGER NOT NULL DEFAULT 5,
  card TEXT, edits TEXT, state TEXT NOT NULL DEFAULT 'waiting',
  attempts INTEGER NOT NULL DEFAULT 0, not_before REAL NOT NULL DEFAULT 0,
  owner TEXT, lease_until REAL NOT NULL DEFAULT 0,
  message TEXT, error TEXT, created_at REAL NOT NULL
);
CREATE INDEX outbox_open ON outbox (channel, chat, priority, id)
  WHERE state IN ('waiting', 'sending');
CREATE TABLE chats (
  channel TEXT NOT NULL, chat TEXT NOT NULL,
  not_before REAL NOT NULL DEFAULT 0, gone INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (channel, chat)
);
CREATE TABLE audit (
  seq INTEGER PRIMARY KEY, at REAL NOT NULL, request_id TEXT NOT NULL, ip TEXT,
  channel TEXT NOT NULL, principal TEXT, conversation TEXT, origin TEXT NOT NULL,
  tool TEXT NOT NULL, decision TEXT NOT NULL, code TEXT, took_ms REAL NOT NULL,
  output_bytes INTEGER NOT NULL, args TEXT NOT NULL, args_digest TEXT NOT NULL, question TEXT
);
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY, lane TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL,
  run_at REAL NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
  owner TEXT, lease_until REAL NOT NULL DEFAULT 0, dead INTEGER NOT NULL DEFAULT 0, error TEXT
);
CREATE INDEX jobs_lane ON jobs (lane, id) WHERE dead = 0;
CREATE TABLE leases (
  name TEXT PRIMARY KEY, owner TEXT NOT NULL, until REAL NOT NULL
);
