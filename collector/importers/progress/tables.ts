/** The tables of `imports.db`. */

/**
 * A change makes `imports.db` start anew, so that every file is read again. 12: what subagents may
 * be called, what their runs spent, which of them are private, and which entries in copies of them,
 * what tools and extensions say in places of their own, answers in event streams, and which
 * runs tool results tell of.
 */
export const progressVersion = 12;

export const dropped = `
  DROP TABLE IF EXISTS files; DROP TABLE IF EXISTS claims;
  DROP TABLE IF EXISTS copied_answers; DROP TABLE IF EXISTS told;
  DROP TABLE IF EXISTS copied_runs;
  DROP TABLE IF EXISTS runs; DROP TABLE IF EXISTS ties;
  DROP TABLE IF EXISTS named;
`;

export const schema = `
  CREATE TABLE IF NOT EXISTS files (
    store TEXT NOT NULL, path TEXT NOT NULL, stamp TEXT NOT NULL,
    bookmark TEXT, session TEXT, started_at TEXT, first_answer TEXT,
    placed_session TEXT, placed_key TEXT, awaited_file TEXT, awaited_key TEXT,
    claimed_by_session TEXT, claimed_by_key TEXT, own_ref TEXT, own_form TEXT, named_parent TEXT,
    is_failed INTEGER NOT NULL, issues TEXT, again_at_ms INTEGER,
    PRIMARY KEY (store, path)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS files_with_issues ON files (store) WHERE issues IS NOT NULL;
  CREATE INDEX IF NOT EXISTS files_of_form ON files (store, own_form) WHERE own_form IS NOT NULL;
  CREATE TABLE IF NOT EXISTS claims (
    store TEXT NOT NULL, key TEXT NOT NULL, claim TEXT NOT NULL, holder TEXT NOT NULL,
    session TEXT NOT NULL, turn TEXT NOT NULL, turn_at TEXT, time TEXT NOT NULL,
    PRIMARY KEY (store, key, claim, holder, session)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS claims_of_one ON claims (store, claim, session);
  CREATE INDEX IF NOT EXISTS claims_of_name ON claims (store, key, time);
  CREATE INDEX IF NOT EXISTS claims_of_holder ON claims (store, key, holder);
  CREATE INDEX IF NOT EXISTS agents_of_holder ON claims (store, holder) WHERE key LIKE 'agent:%';
  CREATE TABLE IF NOT EXISTS named (
    store TEXT NOT NULL, session TEXT NOT NULL, parent TEXT NOT NULL, key TEXT NOT NULL,
    PRIMARY KEY (store, session, parent)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS files_of_placed ON files (store, session, placed_session)
    WHERE placed_session IS NOT NULL;
  CREATE TABLE IF NOT EXISTS copied_answers (
    store TEXT NOT NULL, path TEXT NOT NULL, key TEXT NOT NULL,
    PRIMARY KEY (store, path, key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS copied_runs (
    store TEXT NOT NULL, path TEXT NOT NULL, session TEXT NOT NULL, answer TEXT NOT NULL,
    began_at TEXT NOT NULL, key TEXT NOT NULL,
    PRIMARY KEY (store, path, answer, key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS told (
    store TEXT NOT NULL, path TEXT NOT NULL, first_answer TEXT NOT NULL,
    session TEXT NOT NULL, key TEXT NOT NULL,
    PRIMARY KEY (store, path, first_answer, session, key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS runs (
    store TEXT NOT NULL, path TEXT NOT NULL, key TEXT NOT NULL,
    PRIMARY KEY (store, path, key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS ties (
    store TEXT NOT NULL, path TEXT NOT NULL, session TEXT NOT NULL,
    entry TEXT NOT NULL, time TEXT NOT NULL,
    PRIMARY KEY (store, path, session, entry)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS private_parents (
    store TEXT NOT NULL, path TEXT NOT NULL, said TEXT NOT NULL,
    PRIMARY KEY (store, path)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS late_sessions (
    store TEXT NOT NULL, session TEXT NOT NULL, events INTEGER NOT NULL, source TEXT NOT NULL,
    PRIMARY KEY (store, session)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS scans (
    store TEXT NOT NULL, directories TEXT NOT NULL, started_at_ms INTEGER NOT NULL,
    at_ms INTEGER NOT NULL, files INTEGER NOT NULL, files_to_read INTEGER NOT NULL,
    bytes INTEGER NOT NULL, bytes_to_read INTEGER NOT NULL,
    PRIMARY KEY (store, directories)
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${progressVersion};
`;
