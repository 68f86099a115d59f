CREATE TABLE byoa_secret (value TEXT NOT NULL);

CREATE TABLE byoa_grants (
    id TEXT PRIMARY KEY,
    device TEXT NOT NULL UNIQUE,
    first TEXT NOT NULL,
    last TEXT NOT NULL,
    host TEXT NOT NULL,
    host_version TEXT NOT NULL,
    connector TEXT NOT NULL,
    machine TEXT NOT NULL,
    address TEXT NOT NULL,
    network TEXT NOT NULL,
    created DOUBLE PRECISION NOT NULL,
    expires DOUBLE PRECISION NOT NULL,
    pace DOUBLE PRECISION NOT NULL,
    polled DOUBLE PRECISION,
    state TEXT NOT NULL,
    wrong INTEGER NOT NULL,
    account TEXT,
    account_name TEXT,
    connection TEXT
);
CREATE INDEX byoa_grants_first ON byoa_grants (first);
CREATE INDEX byoa_grants_network ON byoa_grants (network);

CREATE TABLE byoa_openings (
    account TEXT PRIMARY KEY,
    grant_id TEXT NOT NULL
);

CREATE TABLE byoa_guesses (
    who TEXT NOT NULL,
    at DOUBLE PRECISION NOT NULL
);
CREATE INDEX byoa_guesses_who ON byoa_guesses (who, at);

CREATE TABLE byoa_connections (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    account_name TEXT NOT NULL,
    host TEXT NOT NULL,
    host_version TEXT NOT NULL,
    connector TEXT NOT NULL,
    machine TEXT NOT NULL,
    address TEXT NOT NULL,
    created DOUBLE PRECISION NOT NULL,
    token TEXT UNIQUE,
    used INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    revoked DOUBLE PRECISION
);
CREATE INDEX byoa_connections_account ON byoa_connections (account);

CREATE TABLE byoa_sessions (
    id TEXT PRIMARY KEY,
    connection TEXT NOT NULL REFERENCES byoa_connections (id),
    key TEXT NOT NULL,
    host TEXT NOT NULL,
    host_version TEXT,
    title TEXT,
    workspace TEXT NOT NULL,
    settings TEXT NOT NULL,
    can TEXT NOT NULL,
    state TEXT NOT NULL,
    last BIGINT NOT NULL,
    acknowledged BIGINT NOT NULL,
    poll TEXT,
    polled DOUBLE PRECISION NOT NULL,
    created DOUBLE PRECISION NOT NULL,
    ended INTEGER NOT NULL,
    UNIQUE (connection, key)
);

CREATE TABLE byoa_messages (
    session TEXT NOT NULL REFERENCES byoa_sessions (id),
    number BIGINT NOT NULL,
    kind TEXT NOT NULL,
    turn TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (session, number)
);

CREATE TABLE byoa_turns (
    id TEXT PRIMARY KEY,
    session TEXT NOT NULL REFERENCES byoa_sessions (id),
    number BIGINT NOT NULL,
    text TEXT NOT NULL,
    sender TEXT NOT NULL,
    created DOUBLE PRECISION NOT NULL,
    next BIGINT NOT NULL,
    events BIGINT NOT NULL,
    size BIGINT NOT NULL,
    outcome TEXT,
    reason TEXT,
    ended DOUBLE PRECISION
);
CREATE INDEX byoa_turns_session ON byoa_turns (session, number);

CREATE TABLE byoa_events (
    turn TEXT NOT NULL REFERENCES byoa_turns (id),
    number BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (turn, number)
);
