-- The sums of all rows, for a book whose sums were kept in another way before.
INSERT INTO days
SELECT date(t / 1000, 'unixepoch', 'localtime') AS day, scope, connector, host, surface, tool, project, family, source,
    sum(n), sum(error * n), sum(tokens_in), sum(tokens_out), sum(coalesce(ms, 0.0)), max(coalesce(ms, 0.0)), count(ms)
FROM rows GROUP BY day, scope, connector, host, surface, tool, project, family, source;

INSERT INTO sessions
SELECT date(t / 1000, 'unixepoch', 'localtime') AS day, scope, connector, host, session, source,
    sum(n), sum(error * n), sum(tokens_in), sum(tokens_out), sum(coalesce(ms, 0.0)), max(coalesce(ms, 0.0)), count(ms)
FROM rows GROUP BY day, scope, connector, host, session, source;

INSERT INTO sizes
SELECT date(t / 1000, 'unixepoch', 'localtime') AS day, connector, host, tool, class_of(tokens_out) AS size, count(*)
FROM rows WHERE scope = 'call' AND n = 1 GROUP BY day, connector, host, tool, size;
