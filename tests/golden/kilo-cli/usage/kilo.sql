-- Recorded: Kilo CLI 7.7.7 against a scripted model, 2026-11-30; three tables, and what was said is replaced.
CREATE TABLE `message` (
  `id` text PRIMARY KEY,
  `session_id` text NOT NULL,
  `time_created` integer NOT NULL,
  `time_updated` integer NOT NULL,
  `data` text NOT NULL
);
INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES ('msg_22d3c62a3001xCmHRsvR5Rh1BK', 'ses_dd2c3c8b8ffev96dJV4rvXVfRx', 1796055261859, 1796055264420, '{"parentID":"msg_22d3c61bb001MBQQST2S4DZ3Hf","role":"assistant","mode":"code","agent":"code","path":{"cwd":"/home/user/project","root":"/home/user/project"},"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"modelID":"fake-model","providerID":"fakeprov","time":{"created":1796055261859,"completed":1796055264416},"error":{"name":"MessageAbortedError","data":{"message":"Aborted"}}}');
INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES ('msg_22d3c61bb001MBQQST2S4DZ3Hf', 'ses_dd2c3c8b8ffev96dJV4rvXVfRx', 1796055261627, 1796055262289, '{"role":"user","time":{"created":1796055261627},"agent":"code","model":{"providerID":"fakeprov","modelID":"fake-model"},"summary":{"diffs":[]}}');
INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES ('msg_22d3c56bc001s83CBImwPFkRwZ', 'ses_dd2c3c8b8ffev96dJV4rvXVfRx', 1796055258812, 1796055260448, '{"parentID":"msg_22d3c3e66001onr7eZTsylsaQK","role":"assistant","mode":"code","agent":"code","path":{"cwd":"/home/user/project","root":"/home/user/project"},"cost":0.00056,"tokens":{"total":1110,"input":330,"output":73,"reasoning":7,"cache":{"write":0,"read":700}},"modelID":"fake-model","providerID":"fakeprov","time":{"created":1796055258812,"completed":1796055260439},"finish":"stop"}');
INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES ('msg_22d3c46dd001VQwABfzwTNSin8', 'ses_dd2c3c8b8ffev96dJV4rvXVfRx', 1796055254749, 1796055258694, '{"parentID":"msg_22d3c3e66001onr7eZTsylsaQK","role":"assistant","mode":"code","agent":"code","path":{"cwd":"/home/user/project","root":"/home/user/project"},"cost":0.000557,"tokens":{"total":1108,"input":329,"output":72,"reasoning":7,"cache":{"write":0,"read":700}},"modelID":"fake-model","providerID":"fakeprov","time":{"created":1796055254749,"completed":1796055258646},"finish":"tool-calls"}');
INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES ('msg_22d3c3fc7001LwTGSXFoPdrHTe', 'ses_dd2c3c8b8ffev96dJV4rvXVfRx', 1796055252935, 1796055254730, '{"parentID":"msg_22d3c3e66001onr7eZTsylsaQK","role":"assistant","mode":"code","agent":"code","path":{"cwd":"/home/user/project","root":"/home/user/project"},"cost":0.000554,"tokens":{"total":1106,"input":328,"output":71,"reasoning":7,"cache":{"write":0,"read":700}},"modelID":"fake-model","providerID":"fakeprov","time":{"created":1796055252935,"completed":1796055254725},"finish":"tool-calls"}');
INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES ('msg_22d3c3e66001onr7eZTsylsaQK', 'ses_dd2c3c8b8ffev96dJV4rvXVfRx', 1796055252582, 1796055260759, '{"role":"user","time":{"created":1796055252582},"agent":"code","model":{"providerID":"fakeprov","modelID":"fake-model"},"summary":{"diffs":[]}}');
CREATE TABLE `part` (
  `id` text PRIMARY KEY,
  `message_id` text NOT NULL,
  `session_id` text NOT NULL,
  `time_created` integer NOT NULL,
  `time_updated` integer NOT NULL,
  `data` text NOT NULL
);
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22d3c65a50012pA0bJM8YeFSHB', 'msg_22d3c62a3001xCmHRsvR5Rh1BK', 'ses_dd2c3c8b8ffev96dJV4rvXVfRx', 1796055262629, 1796055264411, '{"type":"text","text":"planted-7f3a9c","time":{"start":1796055262629,"end":1796055264409}}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22d3c6599001FuA45nMCSvDO8x', 'msg_22d3c62a3001xCmHRsvR5Rh1BK', 'ses_dd2c3c8b8ffev96dJV4rvXVfRx', 1796055262617, 1796055262622, '{"type":"step-start","time":{"start":1796055262267}}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22d3c61ce001n6tqtbF286Td8Y', 'msg_22d3c61bb001MBQQST2S4DZ3Hf', 'ses_dd2c3c8b8ffev96dJV4rvXVfRx', 1796055261655, 1796055261658, '{"type":"text","text":"planted-7f3a9c"}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22d3c5d00001X0Hb9nYMDQYHyG', 'msg_22d3c56bc001s83CBImwPFkRwZ', 'ses_dd2c3c8b8ffev96dJV4rvXVfRx', 1796055260417, 1796055260420, '{"reason":"stop","type":"step-finish","time":{"start":1796055259992,"end":1796055260413,"elapsed":420},"metrics":{"generation":190.47619047619048,"source":"computed"},"tokens":{"total":1110,"input":330,"output":73,"reasoning":7,"cache":{"write":0,"read":700}},"cost":0.00056}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22d3c5be2001575SRp4VtFTUJB', 'msg_22d3c56bc001s83CBImwPFkRwZ', 'ses_dd2c3c8b8ffev96dJV4rvXVfRx', 1796055260130, 1796055260164, '{"type":"text","text":"planted-7f3a9c","time":{"start":1796055260130,"end":1796055260156}}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22d3c5bd4001bweUTFPMhqgjuR', 'msg_22d3c56bc001s83CBImwPFkRwZ', 'ses_dd2c3c8b8ffev96dJV4rvXVfRx', 1796055260117, 1796055260121, '{"type":"step-start","time":{"start":1796055259992}}');
CREATE TABLE `session` (
  `id` text PRIMARY KEY,
  `project_id` text NOT NULL,
  `workspace_id` text,
  `parent_id` text,
  `slug` text NOT NULL,
  `directory` text NOT NULL,
  `path` text,
  `title` text NOT NULL,
  `version` text NOT NULL,
  `share_url` text,
  `summary_additions` integer,
  `summary_deletions` integer,
  `summary_files` integer,
  `summary_diffs` text,
  `metadata` text,
  `cost` real DEFAULT 0 NOT NULL,
  `tokens_input` integer DEFAULT 0 NOT NULL,
  `tokens_output` integer DEFAULT 0 NOT NULL,
  `tokens_reasoning` integer DEFAULT 0 NOT NULL,
  `tokens_cache_read` integer DEFAULT 0 NOT NULL,
  `tokens_cache_write` integer DEFAULT 0 NOT NULL,
  `revert` text,
  `permission` text,
  `agent` text,
  `model` text,
  `time_created` integer NOT NULL,
  `time_updated` integer NOT NULL,
  `time_compacting` integer,
  `time_archived` integer
);
INSERT INTO session (id, project_id, workspace_id, parent_id, slug, directory, path, title, version, share_url, summary_additions, summary_deletions, summary_files, summary_diffs, metadata, cost, tokens_input, tokens_output, tokens_reasoning, tokens_cache_read, tokens_cache_write, revert, permission, agent, model, time_created, time_updated, time_compacting, time_archived) VALUES ('ses_dd2c3c8b8ffev96dJV4rvXVfRx', 'global', NULL, NULL, 'mighty-cabin', '/home/user/project', '', 'planted-7f3a9c', '7.7.7', NULL, 0, 0, 0, NULL, NULL, 0.001671, 987, 216, 21, 2100, 0, NULL, NULL, 'code', '{"id":"fake-model","providerID":"fakeprov"}', 1796055250760, 1796055262272, NULL, NULL);
INSERT INTO session (id, project_id, workspace_id, parent_id, slug, directory, path, title, version, share_url, summary_additions, summary_deletions, summary_files, summary_diffs, metadata, cost, tokens_input, tokens_output, tokens_reasoning, tokens_cache_read, tokens_cache_write, revert, permission, agent, model, time_created, time_updated, time_compacting, time_archived) VALUES ('ses_dd2c59086ffepw3LLzeXL3dIyR', 'global', NULL, NULL, 'misty-panda', '/home/user/project', '', 'planted-7f3a9c', '7.7.7', NULL, 0, 0, 0, NULL, NULL, 0.000551, 327, 70, 7, 700, 0, NULL, NULL, 'code', '{"id":"fake-model","providerID":"fakeprov","variant":"default"}', 1796055134074, 1796055213503, NULL, NULL);
INSERT INTO session (id, project_id, workspace_id, parent_id, slug, directory, path, title, version, share_url, summary_additions, summary_deletions, summary_files, summary_diffs, metadata, cost, tokens_input, tokens_output, tokens_reasoning, tokens_cache_read, tokens_cache_write, revert, permission, agent, model, time_created, time_updated, time_compacting, time_archived) VALUES ('ses_dd2c728e4ffehu9sBtokreWLJR', 'global', NULL, NULL, 'clever-river', '/home/user/project', '', 'planted-7f3a9c', '7.7.7', NULL, 0, 0, 0, NULL, NULL, 0.0016349999999999997, 975, 204, 21, 2100, 0, NULL, NULL, 'code', '{"id":"fake-model","providerID":"fakeprov","variant":"default"}', 1796055029532, 1796055111219, NULL, NULL);
INSERT INTO session (id, project_id, workspace_id, parent_id, slug, directory, path, title, version, share_url, summary_additions, summary_deletions, summary_files, summary_diffs, metadata, cost, tokens_input, tokens_output, tokens_reasoning, tokens_cache_read, tokens_cache_write, revert, permission, agent, model, time_created, time_updated, time_compacting, time_archived) VALUES ('ses_dd2c903c8ffeM6ssiG7HdsPA68', 'global', NULL, NULL, 'proud-otter', '/home/user/project', '', 'planted-7f3a9c', '7.7.7', NULL, 0, 0, 0, NULL, NULL, 0.0016020000000000001, 964, 193, 21, 2100, 0, NULL, NULL, 'code', '{"id":"fake-model","providerID":"fakeprov","variant":"default"}', 1796054907989, 1796054963064, NULL, NULL);
