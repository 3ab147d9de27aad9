-- Records that are there already hang on no chain.
ALTER TABLE audit ADD COLUMN shown_digest TEXT;
ALTER TABLE audit ADD COLUMN chain TEXT;
ALTER TABLE audit ADD COLUMN place INTEGER;
ALTER TABLE audit ADD COLUMN previous TEXT;
ALTER TABLE audit ADD COLUMN mac TEXT;
CREATE UNIQUE INDEX audit_place ON audit (chain, place);
CREATE TABLE audit_chains (
  id TEXT PRIMARY KEY, began_at REAL NOT NULL, start TEXT NOT NULL,
  first INTEGER NOT NULL, last INTEGER NOT NULL, mac TEXT NOT NULL, seal TEXT NOT NULL,
  followed_to INTEGER
);
