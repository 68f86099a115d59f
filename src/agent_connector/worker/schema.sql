-- What a worker has to know after a restart. Times of the board are ISO texts as it gave them.

CREATE TABLE settled (        -- tasks that were done, and are taken again only when a person moves them back
    task TEXT PRIMARY KEY,
    updated_at TEXT NOT NULL, -- read back after our own last write of the status
    away INTEGER NOT NULL     -- 1 once its status has left the poll set since
) WITHOUT ROWID;

CREATE TABLE runs (           -- runs whose result has not reached the board
    run TEXT PRIMARY KEY,     -- our own id; request ids begin with it
    task TEXT NOT NULL,
    board_run TEXT,           -- the board's id, where it has runs
    own INTEGER NOT NULL,     -- 1: that run was made for us, so nobody else writes to it
    instance TEXT NOT NULL,   -- of the process that holds the claim
    fence INTEGER,
    taken_from TEXT NOT NULL, -- the status
    running INTEGER NOT NULL, -- 1: the task was moved to the running status
    state TEXT NOT NULL       -- 'open', then 'settling', then 'told' once the result stands in a comment; or 'lost'
) WITHOUT ROWID;

CREATE TABLE series (         -- tasks that were begun and are not done: what the next run goes on with
    task TEXT PRIMARY KEY,
    attempt INTEGER NOT NULL,
    session TEXT              -- JSON
) WITHOUT ROWID;

CREATE TABLE escalations (    -- tasks that wait for a person
    task TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    reason TEXT NOT NULL,
    asked_at TEXT NOT NULL,   -- of the board: an answer is newer
    parked_at TEXT NOT NULL,  -- of the board: it goes on when the task was changed after that
    session TEXT              -- JSON: what a resumed run goes on with
) WITHOUT ROWID;

CREATE TABLE movers (         -- who moved a task back after the question, where its run did not come to an end
    task TEXT PRIMARY KEY,
    who TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE allowed (        -- risky words in a task that a person was asked about, and moved the task back
    task TEXT NOT NULL,
    word TEXT NOT NULL,
    PRIMARY KEY (task, word)
) WITHOUT ROWID;

CREATE TABLE comments (       -- our own
    id TEXT PRIMARY KEY
) WITHOUT ROWID;

CREATE TABLE spend (
    run TEXT PRIMARY KEY,
    board TEXT NOT NULL,
    day TEXT NOT NULL,
    instance TEXT NOT NULL,
    reserved REAL NOT NULL,
    settled REAL,             -- NULL while the run lasts
    source TEXT
) WITHOUT ROWID;
CREATE INDEX spend_board ON spend (board);
CREATE INDEX spend_day ON spend (day);
CREATE INDEX spend_instance ON spend (instance);

CREATE TABLE outbox (         -- what the board does not have yet, in order
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL,
    task TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    tried INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX outbox_run ON outbox (run, n);
CREATE INDEX outbox_task ON outbox (task);

CREATE TABLE logs (           -- runs of the board that we wrote logs of, and the number of the next event
    board_run TEXT PRIMARY KEY,
    next INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE kept (           -- logs of runs that the board knows nothing of
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    task TEXT NOT NULL,
    run TEXT NOT NULL,
    event TEXT NOT NULL
);
CREATE INDEX kept_task ON kept (task, n);
