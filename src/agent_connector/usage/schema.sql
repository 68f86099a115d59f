-- What the hosts' logs say. Everything in it can be made again from the logs that are still there.

CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;

-- One row for each log as it was met: a log that was rewritten is another row, and the former one is `gone`.
CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL,
    host TEXT NOT NULL,
    kind TEXT NOT NULL,
    version INTEGER NOT NULL,             -- of the reader
    last INTEGER NOT NULL,                -- 1: of two rows of a key the later one counts; 0: the larger of each count
    size INTEGER NOT NULL,
    modified INTEGER NOT NULL,            -- ns; with a database's write-ahead log, the later of the two
    inode INTEGER NOT NULL,
    offset INTEGER NOT NULL,              -- what was read up to here
    mark BLOB NOT NULL,                   -- a hash of the head and of what stands before `offset`
    state TEXT NOT NULL,                  -- the reader's own, JSON
    problem TEXT NOT NULL,                -- why it is not read, or not to its end; "" when it is
    found TEXT NOT NULL,                  -- the version that an unknown format names
    former INTEGER NOT NULL,              -- the row of what stood at this path before, while it is being replaced; 0
    gone INTEGER NOT NULL
);
CREATE INDEX files_path ON files (host, path);

-- What many units share.
CREATE TABLE contexts (
    id INTEGER PRIMARY KEY,
    host TEXT NOT NULL, session TEXT NOT NULL, parent TEXT NOT NULL, model TEXT NOT NULL, provider TEXT NOT NULL,
    project TEXT NOT NULL, project_name TEXT NOT NULL, tier TEXT NOT NULL, agent TEXT NOT NULL, source TEXT NOT NULL
);

-- One row for each unit. `key` is a hash of host and key. `file` is where it stands; 0 when it stands in several,
-- which are then in `sightings`, and this row is what usage/lineage.py makes of them.
CREATE TABLE facts (
    id INTEGER PRIMARY KEY,
    key INTEGER NOT NULL, file INTEGER NOT NULL, context INTEGER NOT NULL, time INTEGER NOT NULL,
    input INTEGER NOT NULL, cache_read INTEGER NOT NULL, cache_write_5m INTEGER NOT NULL,
    cache_write_1h INTEGER NOT NULL, output INTEGER NOT NULL, reasoning INTEGER NOT NULL,
    requests INTEGER NOT NULL, cost REAL, credits REAL
);
CREATE UNIQUE INDEX facts_key ON facts (key);
CREATE INDEX facts_time ON facts (time);  -- these three are left out while an empty index is filled
CREATE INDEX facts_file ON facts (file);

CREATE TABLE sightings (
    key INTEGER NOT NULL, file INTEGER NOT NULL, context INTEGER NOT NULL, time INTEGER NOT NULL,
    input INTEGER NOT NULL, cache_read INTEGER NOT NULL, cache_write_5m INTEGER NOT NULL,
    cache_write_1h INTEGER NOT NULL, output INTEGER NOT NULL, reasoning INTEGER NOT NULL,
    requests INTEGER NOT NULL, cost REAL, credits REAL,
    PRIMARY KEY (key, file)
) WITHOUT ROWID;
CREATE INDEX sightings_file ON sightings (file);

-- Rows that were read and not yet merged into the above.
CREATE TABLE incoming (
    id INTEGER PRIMARY KEY,
    key INTEGER NOT NULL, file INTEGER NOT NULL, context INTEGER NOT NULL, time INTEGER NOT NULL,
    input INTEGER NOT NULL, cache_read INTEGER NOT NULL, cache_write_5m INTEGER NOT NULL,
    cache_write_1h INTEGER NOT NULL, output INTEGER NOT NULL, reasoning INTEGER NOT NULL,
    requests INTEGER NOT NULL, cost REAL, credits REAL
);

-- For whoever keeps sums: hours (time / 3600000) whose units changed, with the generation in which they last did.
CREATE TABLE hours (hour INTEGER PRIMARY KEY, generation INTEGER NOT NULL);
CREATE INDEX hours_generation ON hours (generation);

-- What each host comes to, made when it is asked for, and kept by triggers from then on (usage/index.py).
CREATE TABLE totals (host TEXT PRIMARY KEY, units INTEGER NOT NULL, tokens INTEGER NOT NULL) WITHOUT ROWID;

CREATE TRIGGER changed AFTER UPDATE ON facts
WHEN (old.context, old.time, old.input, old.cache_read, old.cache_write_5m, old.cache_write_1h, old.output,
      old.reasoning, old.requests, old.cost, old.credits)
  IS NOT (new.context, new.time, new.input, new.cache_read, new.cache_write_5m, new.cache_write_1h, new.output,
          new.reasoning, new.requests, new.cost, new.credits)
BEGIN
    INSERT INTO hours
    SELECT hour / 3600000, (SELECT value FROM meta WHERE name = 'generation')
    FROM (SELECT old.time AS hour UNION SELECT new.time) WHERE true
    ON CONFLICT DO UPDATE SET generation = excluded.generation;
END;
CREATE TRIGGER dropped AFTER DELETE ON facts BEGIN
    INSERT INTO hours
    SELECT old.time / 3600000, value FROM meta WHERE name = 'generation'
    ON CONFLICT DO UPDATE SET generation = excluded.generation;
END;

CREATE VIEW units AS
SELECT c.host, printf('%016x', f.key) AS key, c.session, c.parent, f.time, c.model, c.provider, c.project,
       c.project_name, c.tier, c.agent, f.input, f.cache_read, f.cache_write_5m, f.cache_write_1h, f.output,
       f.reasoning, f.requests, f.cost, f.credits, c.source
FROM facts f JOIN contexts c ON c.id = f.context;
