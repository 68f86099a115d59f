-- The book: every row as it was appended, how far each segment has been read, and sums by day.
-- A report by tool, host or day reads `days`, one by session `sessions`, percentiles `sizes`; none reads all rows.
CREATE TABLE IF NOT EXISTS segments (name TEXT PRIMARY KEY, inode INTEGER NOT NULL, offset INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS rows (
    t INTEGER NOT NULL, scope TEXT NOT NULL, connector TEXT NOT NULL, host TEXT NOT NULL, surface TEXT NOT NULL,
    tool TEXT NOT NULL, session TEXT NOT NULL, project TEXT NOT NULL, family TEXT NOT NULL,
    tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, source TEXT NOT NULL,
    ms REAL, error INTEGER NOT NULL, n INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS rows_t ON rows (t);
CREATE INDEX IF NOT EXISTS rows_defs ON rows (connector, host, tool, t) WHERE scope = 'tool_defs';

CREATE TABLE IF NOT EXISTS days (
    day TEXT NOT NULL, scope TEXT NOT NULL, connector TEXT NOT NULL, host TEXT NOT NULL, surface TEXT NOT NULL,
    tool TEXT NOT NULL, project TEXT NOT NULL, family TEXT NOT NULL, source TEXT NOT NULL,
    calls INTEGER NOT NULL, errors INTEGER NOT NULL, tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL,
    ms REAL NOT NULL, ms_most REAL NOT NULL, timed INTEGER NOT NULL,
    PRIMARY KEY (day, scope, connector, host, surface, tool, project, family, source)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS sessions (
    day TEXT NOT NULL, scope TEXT NOT NULL, connector TEXT NOT NULL, host TEXT NOT NULL, session TEXT NOT NULL,
    source TEXT NOT NULL,
    calls INTEGER NOT NULL, errors INTEGER NOT NULL, tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL,
    ms REAL NOT NULL, ms_most REAL NOT NULL, timed INTEGER NOT NULL,
    PRIMARY KEY (day, scope, connector, host, session, source)
) WITHOUT ROWID;

-- How many calls of a tool brought a result of which size: `size` is a class of sizes, see sizes.py.
CREATE TABLE IF NOT EXISTS sizes (
    day TEXT NOT NULL, connector TEXT NOT NULL, host TEXT NOT NULL, tool TEXT NOT NULL, size INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY (day, connector, host, tool, size)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS projects (project TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
