BEGIN TRANSACTION;
CREATE TABLE board_bundle_files (
	name TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	path TEXT NOT NULL, 
	content TEXT NOT NULL, 
	PRIMARY KEY (name, version, path), 
	CONSTRAINT board_bundle_files_bundle FOREIGN KEY(name, version) REFERENCES board_bundles (name, version) ON DELETE CASCADE
);
INSERT INTO "board_bundle_files" VALUES('default',1,'AGENTS.md','Hello');
CREATE TABLE board_bundles (
	name TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	created_at BIGINT NOT NULL, 
	created_by TEXT NOT NULL, 
	PRIMARY KEY (name, version)
);
INSERT INTO "board_bundles" VALUES('default',1,1796000000000000,'ada@example.com');
CREATE TABLE board_clock (
	id INTEGER NOT NULL, 
	last BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT board_clock_one CHECK (id = 1)
);
INSERT INTO "board_clock" VALUES(1,1796000000000009);
CREATE TABLE board_comments (
	id TEXT NOT NULL, 
	task_id TEXT NOT NULL, 
	author TEXT NOT NULL, 
	body TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(task_id) REFERENCES board_tasks (id) ON DELETE CASCADE
);
INSERT INTO "board_comments" VALUES('c1','task1','ada@example.com','The hinge is loose',1796000000000003);
INSERT INTO "board_comments" VALUES('c2','task1','shed','Which hinge?',1796000000000004);
CREATE TABLE board_events (
	run_id TEXT NOT NULL, 
	seq BIGINT NOT NULL, 
	ts TEXT NOT NULL, 
	type TEXT NOT NULL, 
	channel TEXT NOT NULL, 
	payload TEXT NOT NULL, 
	PRIMARY KEY (run_id, seq), 
	FOREIGN KEY(run_id) REFERENCES board_runs (id) ON DELETE CASCADE
)
 WITHOUT ROWID

;
INSERT INTO "board_events" VALUES('run1',0,'2026-01-01T00:00:00Z','line','stdout','{"text":"hello"}');
INSERT INTO "board_events" VALUES('run1',1,'2026-01-01T00:00:00Z','line','stdout','{"text":"bye"}');
CREATE TABLE board_keys (
	prefix TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	name TEXT, 
	created_at BIGINT NOT NULL, 
	used_at BIGINT, 
	revoked_at BIGINT, 
	PRIMARY KEY (prefix), 
	FOREIGN KEY(user_id) REFERENCES board_users (id) ON DELETE CASCADE
);
INSERT INTO "board_keys" VALUES('abcdefgh','0000000000000000000000000000000000000000000000000000000000000000','user1','shed',1796000000000000,NULL,NULL);
CREATE TABLE board_leases (
	task_id TEXT NOT NULL, 
	connector TEXT, 
	instance TEXT, 
	fence BIGINT NOT NULL, 
	until BIGINT NOT NULL, 
	PRIMARY KEY (task_id), 
	FOREIGN KEY(task_id) REFERENCES board_tasks (id) ON DELETE CASCADE
);
INSERT INTO "board_leases" VALUES('task1','shed','i1',3,1796000060000000);
CREATE TABLE board_login_failures (
	id TEXT NOT NULL, 
	subject TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "board_login_failures" VALUES('f1','address:127.0.0.1',1796000000000000);
CREATE TABLE board_presence (
	connector TEXT NOT NULL, 
	author TEXT NOT NULL, 
	state TEXT NOT NULL, 
	runs TEXT NOT NULL, 
	version TEXT NOT NULL, 
	hosts TEXT NOT NULL, 
	seen_at BIGINT NOT NULL, 
	PRIMARY KEY (connector)
);
INSERT INTO "board_presence" VALUES('shed','shed','idle','["run1"]','0.1','["codex"]',1796000000000000);
CREATE TABLE board_requests (
	user_id TEXT NOT NULL, 
	request_id TEXT NOT NULL, 
	tool TEXT NOT NULL, 
	answer TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	PRIMARY KEY (user_id, request_id)
);
INSERT INTO "board_requests" VALUES('user1','r1','tasks_comment_add','{"comment":"c"}',1796000000000000);
CREATE TABLE board_roles (
	id TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	provider TEXT, 
	model TEXT, 
	fallback_models TEXT NOT NULL, 
	capability_tier TEXT, 
	instructions TEXT, 
	retired BOOLEAN NOT NULL, 
	created_at BIGINT NOT NULL, 
	created_by TEXT NOT NULL, 
	PRIMARY KEY (id, version)
);
INSERT INTO "board_roles" VALUES('role1',1,'mender','acme','m','["n"]',NULL,'Be kind',0,1796000000000000,'ada@example.com');
CREATE TABLE board_runs (
	id TEXT NOT NULL, 
	task_id TEXT NOT NULL, 
	connector TEXT NOT NULL, 
	status TEXT NOT NULL, 
	role_id TEXT, 
	provider TEXT, 
	model TEXT, 
	cost FLOAT, 
	result TEXT, 
	metadata TEXT, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	finished_at BIGINT, 
	next_seq BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(task_id) REFERENCES board_tasks (id) ON DELETE CASCADE
);
INSERT INTO "board_runs" VALUES('run1','task1','shed','awaiting_human','role1','acme','m',0.5,'{"summary":"x"}','{}',1796000000000002,1796000000000004,NULL,2);
CREATE TABLE board_sessions (
	hash TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	user_id TEXT, 
	csrf TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	PRIMARY KEY (hash), 
	FOREIGN KEY(user_id) REFERENCES board_users (id) ON DELETE CASCADE
);
INSERT INTO "board_sessions" VALUES('1111111111111111111111111111111111111111111111111111111111111111','page','user1','c',1796000000000000,1796000000000001);
CREATE TABLE board_settings (
	name TEXT NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "board_settings" VALUES('jwt','a secret');
CREATE TABLE board_tasks (
	id TEXT NOT NULL, 
	board TEXT NOT NULL, 
	title TEXT NOT NULL, 
	description TEXT NOT NULL, 
	status TEXT NOT NULL, 
	role TEXT, 
	run_id TEXT, 
	priority INTEGER NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	status_by TEXT, 
	PRIMARY KEY (id)
);
INSERT INTO "board_tasks" VALUES('task1','main','Mend the gate','It hangs','blocked','mender','run1',2,1796000000000000,1796000000000005,'ada@example.com');
CREATE TABLE board_users (
	id TEXT NOT NULL, 
	email TEXT NOT NULL, 
	password TEXT NOT NULL, 
	owner BOOLEAN NOT NULL, 
	created_at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (email)
);
INSERT INTO "board_users" VALUES('user1','ada@example.com','$argon2id$v=19$m=65536,t=3,p=4$q9vGAg3d67AcPnmj4P1SoQ$xoG4v+ubWFEIx4RO+JjYMQdQ8e9EjyUS+rIrG8TeMvQ',1,1796000000000000);
CREATE TABLE board_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT board_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "board_version" VALUES('0001');
CREATE INDEX board_keys_user ON board_keys (user_id);
CREATE INDEX board_sessions_expiry ON board_sessions (expires_at);
CREATE INDEX board_sessions_user ON board_sessions (user_id);
CREATE INDEX board_login_failures_subject ON board_login_failures (subject, at);
CREATE INDEX board_login_failures_at ON board_login_failures (at);
CREATE INDEX board_requests_created ON board_requests (created_at);
CREATE INDEX board_tasks_updated ON board_tasks (updated_at, id);
CREATE INDEX board_tasks_status ON board_tasks (status, updated_at, id);
CREATE INDEX board_tasks_board_updated ON board_tasks (board, updated_at, id);
CREATE INDEX board_tasks_board_status ON board_tasks (board, status, updated_at, id);
CREATE INDEX board_comments_task ON board_comments (task_id, created_at);
CREATE INDEX board_runs_task ON board_runs (task_id, created_at);
CREATE INDEX board_runs_created ON board_runs (created_at);
CREATE INDEX board_runs_waiting ON board_runs (task_id) WHERE status = 'awaiting_human';
CREATE UNIQUE INDEX board_roles_name ON board_roles (name, version);
COMMIT;
