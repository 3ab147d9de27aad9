CREATE TABLE remarks (
  question TEXT NOT NULL REFERENCES questions (id), person TEXT NOT NULL, identity TEXT NOT NULL,
  text TEXT NOT NULL, at DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (question, person)
);
CREATE TABLE intents (
  identity TEXT PRIMARY KEY, question TEXT NOT NULL REFERENCES questions (id),
  card TEXT NOT NULL, choice TEXT NOT NULL, at DOUBLE PRECISION NOT NULL
);
CREATE INDEX cards_message ON cards (channel, chat, message);
CREATE INDEX outbox_card_message ON outbox (channel, chat, message)
  WHERE card IS NOT NULL AND message IS NOT NULL;
