"""Counted calls and turns as OpenTelemetry spans and metrics, sent to a collector when a person says so.

Spans follow the conventions for MCP and generative AI: `tools/call NAME` with `mcp.method.name`, `gen_ai.tool.name`,
`gen_ai.operation.name`. Metrics: `mcp.server.operation.duration` (s), `gen_ai.client.token.usage` for turns that hosts
report, and our own `agent_connector.tool.tokens`, since no convention has the tokens of a tool. How far each
collector has been told is kept, so a row is sent once.

Needs the extra `otel`; its packages are imported here and only here.
"""

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agent_connector.errors import TelemetryError
from agent_connector.home import paths, private
from agent_connector.telemetry import collector, live, report, store
from agent_connector.version import __version__

if TYPE_CHECKING:
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.resources import Resource

ENDPOINT, VARIABLE = "http://localhost:4318", "OTEL_EXPORTER_OTLP_ENDPOINT"
SCOPE = "agent-connector"
TOKENS = "agent_connector.tool.tokens"
DEFINITIONS = "agent_connector.tool.definition.tokens"
TAKE = 2000  # rows of one message to the collector
_METHODS = ("resources/read", "prompts/get")
_ROWS = """
SELECT rowid, t, scope, connector, host, surface, tool, session, project, family, tokens_in, tokens_out, source, ms, error, n
FROM rows WHERE rowid > ? AND t >= ? AND scope IN ('call', 'tool_defs', 'model_turn') ORDER BY rowid LIMIT ?
"""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the book."""

    id: int
    t: int
    scope: str
    connector: str
    host: str
    surface: str
    tool: str
    session: str
    project: str
    family: str
    tokens_in: int
    tokens_out: int
    source: str
    ms: float | None
    error: int
    n: int

    @property
    def method(self) -> str:
        """The MCP method of a call: rows of resources and prompts have it in the place of a tool's name."""
        return self.tool if self.tool in _METHODS else "tools/call"


@dataclass(frozen=True, slots=True)
class Sent:
    """What went out, and the last row that did."""

    endpoint: str
    spans: int = 0
    points: int = 0
    last: int = 0


def send(root: str, endpoint: str = "", since: str = "", again: bool = False) -> Sent:
    """Send what the collector at `endpoint` was not told yet. Raises TelemetryError when it takes nothing."""
    collector.require()
    address = (endpoint or os.environ.get(VARIABLE) or ENDPOINT).rstrip("/")
    live.settle(root)
    first = report.start(since)
    shown = collector.without_password(address)
    sent = Sent(shown, last=0 if again else _cursor(root, shown))
    with store.book(root) as connection:
        if not store.is_kept(connection, root):
            raise TelemetryError(
                "nothing was sent: how far the collector was told cannot be kept, and it would be told twice",
                where=paths.telemetry_folder(root),
                remedy="Make room on the disk, or give yourself leave to write there, then run this again.",
            )
        newest = connection.execute("SELECT coalesce(max(rowid), 0) FROM rows").fetchone()[0]
        if sent.last > newest:
            sent = replace(sent, last=0)  # it is another book than the one that was told of
        while rows := list(_rows(connection, sent.last, first)):
            spans, points = _spans(address, rows), _metrics(address, rows)
            sent = replace(sent, spans=sent.spans + spans, points=sent.points + points, last=rows[-1].id)
            _keep(root, shown, sent.last)
    return sent


def _rows(connection: sqlite3.Connection, last: int, first: int) -> Iterator[Row]:
    return (Row(*values) for values in connection.execute(_ROWS, (last, first, TAKE)))


def _spans(address: str, rows: Sequence[Row]) -> int:
    """Send the calls as spans. Returns their number."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
    from opentelemetry.sdk.trace.export import SpanExportResult
    from opentelemetry.trace import SpanKind, Status, StatusCode

    exporter = OTLPSpanExporter(endpoint=address + "/v1/traces", session=collector.session())
    made: list[ReadableSpan] = []
    for connector in dict.fromkeys(row.connector for row in rows):
        tracer = TracerProvider(resource=_resource(connector), shutdown_on_exit=False).get_tracer(SCOPE, __version__)
        for row in (row for row in rows if row.connector == connector and row.scope == "call"):
            end = row.t * 1_000_000
            name = f"{row.method} {row.tool}" if row.method == "tools/call" else row.method
            start = end - round((row.ms or 0) * 1_000_000)
            span = tracer.start_span(name, kind=SpanKind.SERVER, start_time=start, attributes=_call(row))
            if row.error:
                span.set_attribute("error.type", "tool_error")
                span.set_status(Status(StatusCode.ERROR))
            span.end(end)
            if isinstance(span, ReadableSpan):
                made.append(span)
    try:
        if made and collector.within(address, lambda: exporter.export(made)) is not SpanExportResult.SUCCESS:
            raise collector.refused(address, "traces")
    finally:
        exporter.shutdown()
    return len(made)


def _call(row: Row) -> dict[str, Any]:
    """The attributes of a call's span."""
    found: dict[str, Any] = {
        "mcp.method.name": row.method,
        "network.transport": "pipe",
        "agent_connector.host": row.host,
        "agent_connector.project": row.project,
        "agent_connector.tokens.input": row.tokens_in,
        "agent_connector.tokens.output": row.tokens_out,
        "agent_connector.tokens.source": row.source,
        "gen_ai.conversation.id": row.session,
    }
    if row.method == "tools/call":
        found |= {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": row.tool}
    if row.n != 1:
        found["agent_connector.calls"] = row.n
    return {name: value for name, value in found.items() if value != ""}


def _metrics(address: str, rows: Sequence[Row]) -> int:
    """Send durations and tokens of `rows` as what was added since the last time. Returns the number of points."""
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.sdk.metrics import Counter, Histogram, MeterProvider
    from opentelemetry.sdk.metrics.export import AggregationTemporality, InMemoryMetricReader, MetricExportResult

    added = {Counter: AggregationTemporality.DELTA, Histogram: AggregationTemporality.DELTA}
    exporter: Any = OTLPMetricExporter(
        endpoint=address + "/v1/metrics", preferred_temporality=added, session=collector.session()
    )
    points = 0
    try:
        for connector in dict.fromkeys(row.connector for row in rows):
            reader = InMemoryMetricReader(preferred_temporality=added)
            provider = MeterProvider([reader], resource=_resource(connector), shutdown_on_exit=False)
            _record(provider, [row for row in rows if row.connector == connector])
            data = reader.get_metrics_data()
            provider.shutdown()
            if data is None:
                continue
            if collector.within(address, lambda data=data: exporter.export(data)) is not MetricExportResult.SUCCESS:
                raise collector.refused(address, "metrics")
            every = [one for of in data.resource_metrics for scope in of.scope_metrics for one in scope.metrics]
            points += sum(len(one.data.data_points) for one in every)
    finally:
        exporter.shutdown()
    return points


def _record(provider: "MeterProvider", rows: Sequence[Row]) -> None:
    meter = provider.get_meter(SCOPE, __version__)
    duration = meter.create_histogram("mcp.server.operation.duration", "s", "Duration of MCP requests")
    tokens = meter.create_histogram(TOKENS, "{token}", "Tokens of a tool call's arguments (input) and result (output)")
    usage = meter.create_histogram("gen_ai.client.token.usage", "{token}", "Tokens of a model's turn, told by its host")
    tax = meter.create_gauge(DEFINITIONS, "{token}", "Tokens of a tool's definition, read in every turn")
    for row in rows:
        both = {"input": row.tokens_in, "output": row.tokens_out}
        named = {
            "gen_ai.tool.name": row.tool,
            "agent_connector.host": row.host,
            "agent_connector.tokens.source": row.source,
        }
        if row.scope == "tool_defs":
            tax.set(row.tokens_out, named)
        elif row.scope == "model_turn":
            model = {
                "gen_ai.operation.name": "chat",
                "gen_ai.request.model": row.tool,
                "agent_connector.host": row.host,
            }
            for kind, count in both.items():
                usage.record(count, {**model, "gen_ai.token.type": kind})
        else:
            for kind, count in both.items():
                tokens.record(count, {**named, "gen_ai.token.type": kind})
            if row.ms is not None:
                failed = {"error.type": "tool_error"} if row.error else {}
                told = {"mcp.method.name": row.method, "gen_ai.tool.name": row.tool, "network.transport": "pipe"}
                duration.record(row.ms / 1000, {**told, **failed})


def _resource(connector: str) -> "Resource":
    from opentelemetry.sdk.resources import Resource

    return Resource.create({"service.name": connector, "service.namespace": SCOPE})


def _place(root: str) -> str:
    return os.path.join(paths.telemetry_folder(root), "otlp.json")


def _cursors(root: str) -> Mapping[str, int]:
    try:
        with open(_place(root), encoding="utf-8") as file:
            value: Any = json.load(file)
        return {str(name): int(last) for name, last in value.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def _cursor(root: str, address: str) -> int:
    return _cursors(root).get(address, 0)


def _keep(root: str, address: str, last: int) -> None:
    private.write(_place(root), json.dumps({**_cursors(root), address: last}))
