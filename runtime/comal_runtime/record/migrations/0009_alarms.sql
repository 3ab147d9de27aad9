ALTER TABLE questions ADD COLUMN reminder TEXT;
CREATE INDEX questions_reminder ON questions (reminder) WHERE reminder IS NOT NULL;
CREATE INDEX outbox_card ON outbox (card) WHERE card IS NOT NULL;
ALTER TABLE chats ADD COLUMN moved_to TEXT;
