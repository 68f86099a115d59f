"""Where our own state lies."""

import os
import sys

from agent_connector.home import paths


def test_the_data_root_is_in_the_home_folder_unless_moved(tmp_path):
    assert paths.data_root({}, "/home/ada") == os.path.join("/home/ada", ".agent-connector")
    assert paths.data_root({"AGENT_CONNECTOR_DATA_DIR": ""}, "/home/ada").startswith("/home/ada")
    assert paths.data_root({"AGENT_CONNECTOR_DATA_DIR": str(tmp_path)}, "/home/ada") == str(tmp_path)


def test_a_moved_root_may_be_relative_or_begin_with_a_tilde(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert paths.data_root({"AGENT_CONNECTOR_DATA_DIR": "state"}, "/home/ada") == str(tmp_path / "state")
    assert paths.data_root({"AGENT_CONNECTOR_DATA_DIR": "~/state"}, "/home/ada") == "/home/ada/state"
    assert paths.data_root({"AGENT_CONNECTOR_DATA_DIR": "~"}, "/home/ada") == "/home/ada"


def test_the_launcher_is_not_moved_with_the_root():
    assert paths.launcher_path("/home/ada", "linux") == "/home/ada/.agent-connector/bin/agent-connector"
    assert paths.launcher_path("/home/ada", "win32").endswith("agent-connector.exe")


def test_every_file_of_the_layout_lies_below_the_root():
    places = {
        "versions/1.2/python": paths.version_python("/r", "1.2"),
        "versions/1.2/tools": paths.version_tools("/r", "1.2"),
        "versions/1.2/agent_connector": paths.version_package("/r", "1.2"),
        "versions/current": paths.current_version("/r"),
        "pins": paths.pins("/r"),
        "connectors/acme/connector.json": paths.manifest("/r", "acme"),
        "connectors/acme/declaration": paths.declaration_folder("/r", "acme"),
        "connectors/acme/python": paths.connector_python("/r", "acme"),
        "connectors/acme/env": paths.connector_environment("/r", "acme"),
        "telemetry/segments": paths.segments_folder("/r"),
        "telemetry/telemetry.db": paths.telemetry_store("/r"),
        "telemetry/off": paths.telemetry_off("/r"),
        "usage": paths.usage_folder("/r"),
        "usage/usage.db": paths.usage_index("/r"),
        "usage/prices.json": paths.fetched_prices("/r"),
        "prices.toml": paths.usage_prices("/r"),
        "ledger.json": paths.ledger("/r"),
        "backups": paths.backups_folder("/r"),
        "lock": paths.lock("/r"),
        "hooks.log": paths.hooks_log("/r"),
    }
    assert {os.path.join("/r", *relative.split("/")) for relative in places} == set(places.values())


def test_the_packages_of_an_environment_are_those_of_the_running_interpreter():
    folder = paths.connector_packages("/r", "acme")
    assert folder.startswith(paths.connector_environment("/r", "acme"))
    assert folder.endswith(f"python{sys.version_info[0]}.{sys.version_info[1]}/site-packages")
