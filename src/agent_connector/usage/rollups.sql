-- Sums of the units, beside the index whose `facts`, `contexts` and `hours` they are made from.

-- What a model costs, and where that holds. Prices are 1e-18 USD per token, NULL where nobody knows any.
CREATE TABLE IF NOT EXISTS rates (
    id INTEGER PRIMARY KEY,
    provider TEXT NOT NULL, model TEXT NOT NULL, tier TEXT NOT NULL,
    begins INTEGER NOT NULL, ends INTEGER NOT NULL,             -- ms
    day_from INTEGER NOT NULL, day_to INTEGER NOT NULL,         -- ms of the UTC day
    over INTEGER NOT NULL, upto INTEGER NOT NULL,               -- tokens of context
    source TEXT NOT NULL, version TEXT NOT NULL, key TEXT NOT NULL, priced_tier TEXT NOT NULL,
    input INTEGER, cache_read INTEGER, cache_write_5m INTEGER, cache_write_1h INTEGER, output INTEGER,
    reasoning INTEGER, request INTEGER
);
CREATE INDEX IF NOT EXISTS rates_of ON rates (provider, model, tier);

-- Money that hosts wrote down, and their credits, are whole numbers of 1e-9, so that no sum depends on its order.
CREATE TABLE IF NOT EXISTS sums (
    quarter INTEGER NOT NULL, context INTEGER NOT NULL, rate INTEGER NOT NULL,
    units INTEGER NOT NULL, requests INTEGER NOT NULL,
    input INTEGER NOT NULL, cache_read INTEGER NOT NULL, cache_write_5m INTEGER NOT NULL,
    cache_write_1h INTEGER NOT NULL, output INTEGER NOT NULL, reasoning INTEGER NOT NULL,
    cost INTEGER, credits INTEGER, costed INTEGER NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL,
    PRIMARY KEY (quarter, context, rate)
) WITHOUT ROWID;

-- The same by day of this machine's zone: what most reports read.
CREATE TABLE IF NOT EXISTS days (
    day INTEGER NOT NULL, context INTEGER NOT NULL, rate INTEGER NOT NULL,
    units INTEGER NOT NULL, requests INTEGER NOT NULL,
    input INTEGER NOT NULL, cache_read INTEGER NOT NULL, cache_write_5m INTEGER NOT NULL,
    cache_write_1h INTEGER NOT NULL, output INTEGER NOT NULL, reasoning INTEGER NOT NULL,
    cost INTEGER, credits INTEGER, costed INTEGER NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL,
    PRIMARY KEY (day, context, rate)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS rolled (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID
