CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    received_at_ms INTEGER NOT NULL,
    event TEXT NOT NULL
  ) STRICT;
CREATE TABLE receipts (
    source TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (source, first)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE dead_letters (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    received_at_ms INTEGER NOT NULL,
    code TEXT NOT NULL,
    field TEXT NOT NULL,
    message TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
CREATE TABLE view_generations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    projection TEXT NOT NULL,
    version INTEGER NOT NULL,
    settings TEXT NOT NULL DEFAULT '',
    shape TEXT NOT NULL,
    checkpoint INTEGER NOT NULL,
    live INTEGER NOT NULL
  ) STRICT;
CREATE UNIQUE INDEX view_generations_live ON view_generations (projection) WHERE live = 1;
INSERT INTO meta (key, value) VALUES ('log_schema_version', '1'), ('store_id', '2f0b9a35-3a4e-4a52-9d4c-0c1f5f6d7e80'), ('created_at_ms', '1795334178457');
INSERT INTO events (position, id, received_at_ms, event) VALUES (1, 'e1', 1795334178460, '{"id":"e1"}');
