"""OpenTelemetry: what a receiver of the real protocol gets over HTTP, read with the protocol's own types."""

import contextlib
import gzip
import json
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
    ExportMetricsServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from agent_connector.cli.main import main
from agent_connector.home import paths
from agent_connector.telemetry import append, collector, otlp, store

KINDS = {
    "/v1/traces": (ExportTraceServiceRequest, ExportTraceServiceResponse),
    "/v1/metrics": (ExportMetricsServiceRequest, ExportMetricsServiceResponse),
}


class Receiver:
    """An OTLP receiver over HTTP with protobuf bodies."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.spans: list[tuple[dict[str, Any], Any]] = []
        self.metrics: dict[str, list[Any]] = {}
        self.refuse: set[str] = set()
        self.status = 400
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                data = self.rfile.read(int(self.headers["content-length"]))
                data = gzip.decompress(data) if self.headers.get("content-encoding") == "gzip" else data
                request, response = KINDS[self.path]
                refused = self.path in receiver.refuse
                if not refused:
                    receiver.take(request.FromString(data), data)
                answer = response().SerializeToString()
                self.send_response(receiver.status if refused else 200)
                self.send_header("content-type", "application/x-protobuf")
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self, request: Any, data: bytes) -> None:
        self.bodies.append(data)
        for of in getattr(request, "resource_spans", ()):
            for scope in of.scope_spans:
                self.spans += [(values(of.resource.attributes), span) for span in scope.spans]
        for of in getattr(request, "resource_metrics", ()):
            for scope in of.scope_metrics:
                for metric in scope.metrics:
                    self.metrics.setdefault(metric.name, []).append(metric)


def values(attributes: Any) -> dict[str, Any]:
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in attributes}


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def root(home: Path) -> Path:
    return home / "data"


def put(root: Path, **fields: Any) -> int:
    t = time.time_ns() // 1_000_000
    row = {"t": t, "scope": "call", "connector": "acme-db", "host": "codex", "surface": "server", "tool": "query",
           "session": "s1", "project": "aa11", "project_name": "hush-hush", "source": "tokenizer-exact", "in": 10,
           "out": 90, "ms": 40.0}  # fmt: skip
    assert append.append(str(root), row | fields)
    return t


def test_a_call_is_a_span_of_the_conventions(root: Path, receiver: Receiver) -> None:
    end = put(root)
    put(root, error=1, tool="write")
    assert main(["telemetry", "otlp", "--endpoint", receiver.url]) == 0
    (resource, span), (_, failed) = receiver.spans
    assert resource["service.name"] == "acme-db"
    assert (span.name, span.kind) == ("tools/call query", Span.SPAN_KIND_SERVER)
    assert span.end_time_unix_nano == end * 1_000_000
    assert span.end_time_unix_nano - span.start_time_unix_nano == 40_000_000
    told = values(span.attributes)
    assert told["mcp.method.name"] == "tools/call"
    assert (told["gen_ai.operation.name"], told["gen_ai.tool.name"]) == ("execute_tool", "query")
    assert (told["agent_connector.tokens.input"], told["agent_connector.tokens.output"]) == (10, 90)
    assert told["agent_connector.tokens.source"] == "tokenizer-exact"
    assert values(failed.attributes)["error.type"] == "tool_error" and failed.status.code == 2
    assert b"hush-hush" not in b"".join(receiver.bodies)


def test_metrics_have_the_units_of_the_conventions(root: Path, receiver: Receiver) -> None:
    put(root)
    put(root, out=110)
    put(root, scope="tool_defs", out=500, **{"in": 0})
    put(
        root,
        scope="model_turn",
        connector="host-turns",
        tool="gemini-2.5-flash",
        source="host-native",
        out=20,
        **{"in": 1000},
    )
    otlp.send(str(root), receiver.url)
    (duration,) = receiver.metrics["mcp.server.operation.duration"]
    (tokens,) = receiver.metrics["agent_connector.tool.tokens"]
    (usage,) = receiver.metrics["gen_ai.client.token.usage"]
    (tax,) = receiver.metrics["agent_connector.tool.definition.tokens"]
    assert duration.unit == "s" and duration.histogram.data_points[0].sum == pytest.approx(0.08)
    sums = {values(p.attributes)["gen_ai.token.type"]: (p.count, p.sum) for p in tokens.histogram.data_points}
    assert sums == {"input": (2, 20), "output": (2, 200)}
    turn = {values(p.attributes)["gen_ai.token.type"]: p.sum for p in usage.histogram.data_points}
    assert turn == {"input": 1000, "output": 20}
    assert tax.gauge.data_points[0].as_int == 500
    assert len(receiver.spans) == 2


def test_each_row_is_sent_once_to_each_collector(root: Path, receiver: Receiver) -> None:
    put(root)
    assert otlp.send(str(root), receiver.url).spans == 1
    put(root)
    assert otlp.send(str(root), receiver.url).spans == 1
    assert otlp.send(str(root), receiver.url).spans == 0
    assert otlp.send(str(root), receiver.url, again=True).spans == 2
    other = Receiver()
    assert otlp.send(str(root), other.url).spans == 2
    other.server.shutdown()
    other.server.server_close()


def test_what_was_not_taken_is_sent_again(root: Path, receiver: Receiver, capsys: pytest.CaptureFixture[str]) -> None:
    put(root)
    receiver.refuse = {"/v1/traces"}
    assert main(["telemetry", "otlp", "--endpoint", receiver.url]) == 1
    assert "did not take the traces" in capsys.readouterr().err
    receiver.refuse = set()
    assert main(["telemetry", "otlp", "--endpoint", receiver.url, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["spans"] == 1


def test_a_new_book_is_told_from_its_beginning(root: Path, receiver: Receiver) -> None:
    for _ in range(3):
        put(root)
    otlp.send(str(root), receiver.url)
    Path(paths.telemetry_store(str(root))).unlink()
    for file in Path(paths.segments_folder(str(root))).iterdir():
        file.unlink()
    put(root, tool="fresh")
    with store.book(str(root)):
        pass
    assert otlp.send(str(root), receiver.url).spans == 1
    assert receiver.spans[-1][1].name == "tools/call fresh"


def test_the_extra_is_named_where_it_is_missing(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setitem(__import__("sys").modules, "opentelemetry.sdk", None)
    assert main(["telemetry", "otlp"]) == 1
    assert "'.[otel]'" in capsys.readouterr().err


def test_a_redirection_is_no_success_and_a_password_is_kept_nowhere(
    root: Path, receiver: Receiver, capsys: pytest.CaptureFixture[str]
) -> None:
    put(root)
    receiver.refuse, receiver.status = {"/v1/traces"}, 307
    address = receiver.url.replace("//", "//somebody:planted-secret@")
    assert main(["telemetry", "otlp", "--endpoint", address]) == 1
    receiver.refuse = set()
    assert main(["telemetry", "otlp", "--endpoint", address]) == 0
    assert len(receiver.spans) == 1
    assert "planted-secret" not in "".join(capsys.readouterr())
    kept = [path.read_bytes() for path in root.rglob("*") if path.is_file()]
    assert kept and not any(b"planted-secret" in data for data in kept)


class Dripping:
    """A collector that never ends its answer: a byte now and then, in its head or in its body."""

    def __init__(self, head: bytes) -> None:
        self.ended = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.thread = threading.Thread(target=self.serve, args=(head,), daemon=True)
        self.thread.start()

    def serve(self, head: bytes) -> None:
        peer, _ = self.listener.accept()
        with peer, contextlib.suppress(OSError):
            peer.sendall(head)
            while not self.ended.wait(0.02):
                peer.sendall(b"x")

    def close(self) -> None:
        self.ended.set()
        self.listener.close()
        self.thread.join()


@pytest.mark.parametrize(
    "head", [b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"], ids=["head", "body"]
)
def test_an_answer_that_never_ends_is_waited_for_only_so_long(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], head: bytes
) -> None:
    put(root)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "0.5")
    monkeypatch.setattr(collector, "GRACE", 0.5)
    there = Dripping(head)
    try:
        assert main(["telemetry", "otlp", "--endpoint", there.url]) == 1
    finally:
        there.close()
    assert "did not answer to the end within 1 seconds" in " ".join(capsys.readouterr().err.split())
    assert not (root / "telemetry" / "otlp.json").exists(), "nothing counts as sent"
