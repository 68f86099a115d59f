"""Loading declarations from real files, good and bad; the author's code runs in a process of its own."""

import os

import pytest

from agent_connector import ConnectorError
from agent_connector.connector.load import from_command, from_url, load
from agent_connector.connector.locate import locate

GOOD = """
from agent_connector import Connector, stdio
connector = Connector(id="acme", server=stdio("acme-mcp"))
@connector.hook("PreToolUse", matcher="a")
def guard(event): ...
"""


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def error(target, **more):
    with pytest.raises(ConnectorError) as caught:
        load(str(target), **more)
    return caught.value


def test_a_python_file(tmp_path):
    loaded = load(str(write(tmp_path, {"acme.py": GOOD}) / "acme.py"))
    source = loaded.model.source
    assert (source.kind, source.module, source.attribute, source.requires) == ("file", "acme", "connector", ())
    assert loaded.model.hooks[0].handler.name == "guard"
    assert loaded.warnings == ()


def test_a_module_in_a_package_brings_the_whole_package(tmp_path):
    files = {"acme/__init__.py": "", "acme/help.py": "NAME = 'acme'", "acme/decl/__init__.py": ""}
    files["acme/decl/connector.py"] = "from ..help import NAME\n" + GOOD.replace('"acme"', "NAME")
    write(tmp_path, files)
    source = load(str(tmp_path / "acme/decl/connector.py")).model.source
    assert (source.kind, source.module, source.path) == ("package", "acme.decl.connector", str(tmp_path / "acme"))


def test_a_dotted_module_is_found_from_the_working_folder(tmp_path):
    write(tmp_path, {"acme/__init__.py": GOOD.replace("connector", "mine").replace("agent_mine", "agent_connector")})
    assert load("acme:mine", cwd=str(tmp_path)).model.source.attribute == "mine"


def test_the_only_connector_of_a_file_is_taken_under_any_name(tmp_path):
    text = GOOD.replace("\nconnector ", "\nacme_db ").replace("@connector", "@acme_db")
    write(tmp_path, {"acme.py": text})
    assert load(str(tmp_path / "acme.py")).model.source.attribute == "acme_db"


TOML = """
id = "acme"
[server]
command = "npx"
args = ["-y", "acme"]
env = { DSN = "${env:DSN:-none}" }
[[memory]]
text = "Use it."
[[skill]]
name = "schema"
description = "d"
file = "schema.md"
[platform.codex]
memory = false
"""


def test_toml_with_the_same_names(tmp_path):
    write(tmp_path, {"connector.toml": TOML, "schema.md": "The schema."})
    model = load(str(tmp_path)).model
    assert (model.server.transport, model.server.args) == ("stdio", ("-y", "acme"))
    assert model.skills[0].body == "The schema."
    assert model.surfaces("codex") == ("server", "skills")


def test_a_pyproject_table_takes_what_the_project_says_of_itself(tmp_path):
    text = '[project]\nname = "Acme.DB"\nversion = "2.0"\ndescription = "d"\n[tool.agent-connector.server]\nurl = "https://x/mcp"\n'
    write(tmp_path, {"pyproject.toml": text})
    model = load(None, cwd=str(tmp_path)).model
    assert (model.id, model.version, model.description, model.server.transport) == ("acme-db", "2.0", "d", "http")


def test_a_pyproject_table_may_name_the_python_file(tmp_path):
    write(tmp_path, {"pyproject.toml": '[tool.agent-connector]\nfile = "src/acme.py"\n', "src/acme.py": GOOD})
    assert load(str(tmp_path)).model.source.kind == "file"


def test_no_file_at_all():
    loaded = from_command("everything", ["npx", "-y", "x"], env={"A": "${env:A}"})
    assert (loaded.model.id, loaded.model.server.args, loaded.model.source.has_code) == (
        "everything",
        ("-y", "x"),
        False,
    )
    remote = from_url("acme", "https://x/mcp", bearer="TOKEN").model.server
    assert (remote.transport, remote.bearer) == ("http", "TOKEN")
    with pytest.raises(ConnectorError, match="no command"):
        from_command("a", [])
    with pytest.raises(ConnectorError, match="id: found 'Bad Name'"):
        from_command("Bad Name", ["x"])


def test_a_syntax_error_is_said_with_its_line(tmp_path):
    caught = error(write(tmp_path, {"acme.py": "x = 1\ndef (:\n"}) / "acme.py")
    assert caught.where == f"{tmp_path / 'acme.py'}:2"
    assert caught.what == "SyntaxError on import: invalid syntax"


def test_an_exception_on_import_is_said_with_the_authors_own_line(tmp_path):
    caught = error(write(tmp_path, {"acme.py": "import json\n\njson.loads('{')\n"}) / "acme.py")
    assert caught.where.endswith("acme.py:3")
    assert caught.what.startswith("JSONDecodeError on import: ")


@pytest.mark.parametrize("text", ["raise SystemExit(3)", "raise KeyboardInterrupt", "import os; os._exit(7)"])
def test_a_file_that_ends_the_interpreter(tmp_path, text):
    caught = error(write(tmp_path, {"acme.py": text}) / "acme.py")
    assert "on import" in caught.what or "ended the interpreter (exit code 7)" in caught.what


def test_a_slow_import_ends_at_the_limit(tmp_path):
    write(tmp_path, {"acme.py": "import time; time.sleep(60)"})
    assert "longer than 0.5 s" in error(tmp_path / "acme.py", timeout=0.5).what


def test_an_import_that_takes_its_time_is_told_to_the_author(tmp_path):
    write(tmp_path, {"acme.py": "import time; time.sleep(0.6)\n" + GOOD})
    assert "each hook that matches pays it" in load(str(tmp_path / "acme.py")).warnings[0]


def test_what_the_file_prints_does_no_harm(tmp_path):
    write(tmp_path, {"acme.py": "import os\nprint('hello')\nos.write(1, b'raw')\n" + GOOD})
    assert load(str(tmp_path / "acme.py")).model.id == "acme"


def test_a_thread_that_the_file_starts_does_not_keep_us(tmp_path):
    text = "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\n" + GOOD
    assert load(str(write(tmp_path, {"acme.py": text}) / "acme.py"), timeout=20).model.id == "acme"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("x = 1", "it has no 'connector'"),
        ("connector = 5", "'connector' is a int"),
        (GOOD + "a = b = Connector(id='b')\ndel connector", "'connector' is not there, and 'a' and 'b' are"),
    ],
)
def test_a_missing_connector_object(tmp_path, text, what):
    caught = error(write(tmp_path, {"acme.py": text}) / "acme.py")
    assert (caught.what, bool(caught.remedy)) == (what, True)


def test_a_broken_rule_in_a_file_names_the_file(tmp_path):
    caught = error(write(tmp_path, {"acme.py": GOOD + "connector.hook('Stop')\n"}) / "acme.py")
    assert str(caught).splitlines()[1] == (
        "  - hook[1].handler: found nothing; allowed: a function under the decorator, in a Python file"
    )


def test_a_value_that_is_no_plain_value_is_a_problem(tmp_path):
    text = GOOD + "connector.config_patch('codex', 'a', object(), reason='r')\n"
    caught = error(write(tmp_path, {"acme.py": text}) / "acme.py")
    assert "config_patch[0].value: found a object" in str(caught)


def test_a_package_that_is_not_declared_is_missed_at_install_not_in_hosts(tmp_path):
    caught = error(write(tmp_path, {"acme.py": "import click\n" + GOOD}) / "acme.py")
    assert (caught.what, "dependencies" in caught.remedy) == (
        "ModuleNotFoundError on import: No module named 'click'",
        True,
    )


def test_a_file_beside_is_missed_with_the_way_out(tmp_path):
    caught = error(write(tmp_path, {"acme.py": "import helper\n" + GOOD, "helper.py": ""}) / "acme.py")
    assert "make it a package" in caught.remedy


def test_declared_packages_are_on_the_path(tmp_path):
    write(tmp_path, {"acme.py": "import thing\n" + GOOD, "env/thing.py": ""})
    assert load(str(tmp_path / "acme.py"), packages=[str(tmp_path / "env")]).model.id == "acme"


def test_code_in_toml_is_a_problem(tmp_path):
    text = 'id = "acme"\n[[hook]]\nevent = "Stop"\n'
    assert "a function under the decorator" in str(error(write(tmp_path, {"connector.toml": text})))


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        ("connector.toml", b"id = ", "this is not TOML"),
        ("connector.toml", b"\xff", "this is not"),
        ("connector.toml", b"id = 3\nserver = 'x'\naction = 3\nplatform = 4", "breaks"),
        ("acme.txt", b"", "this is no declaration"),
        ("my-acme.py", b"", "cannot be imported"),
        ("calendar.py", GOOD.encode(), "'calendar' is a module of Python itself"),
    ],
)
def test_other_bad_files(tmp_path, name, data, what):
    (tmp_path / name).write_bytes(data)
    assert what in error(tmp_path / name).what


def test_nothing_here(tmp_path):
    assert "--name NAME" in error(tmp_path).remedy
    assert error(tmp_path / "nope.py").what == "there is no such file"
    assert error("no_such_module_here").what == "no module 'no_such_module_here'"


CLICK = '[project]\nname="a"\ndependencies=["click"]\n'
SCRIPT = '# /// script\n# dependencies = ["requests>=2", "agent-connector"]\n# ///\n'


@pytest.mark.parametrize(
    ("files", "requires"),
    [
        ({"acme.py": SCRIPT + GOOD}, ("requests>=2",)),
        (
            {"acme.py": "import os, click\n", "pyproject.toml": '[project]\nname="a"\ndependencies=["click>=8"]\n'},
            ("click>=8",),
        ),
        ({"acme.py": "import os\n", "pyproject.toml": '[project]\nname="a"\ndependencies=["click>=8"]\n'}, ()),
        (
            {"acme.py": "def f():\n import click\n", "pyproject.toml": '[project]\nname="a"\ndependencies=["click"]\n'},
            ("click",),
        ),
        ({"acme.py": "try:\n import click\nexcept ImportError: pass\n", "pyproject.toml": CLICK}, ()),
        (
            {
                "acme.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n import click\n",
                "pyproject.toml": CLICK,
            },
            (),
        ),
        (
            {
                "acme.py/../pkg/__init__.py": "",
                "pkg/a.py": "from . import b\n",
                "pkg/b.py": "from .c import x\n",
                "pkg/c.py": "import click\nx=1\n",
                "pkg/unused.py": "import numpy\n",
                "pyproject.toml": '[project]\nname="a"\ndependencies=["click"]\n',
            },
            ("click",),
        ),
    ],
)
def test_requirements_are_read_without_running_anything(tmp_path, files, requires):
    write(tmp_path, {name.split("../")[-1]: text for name, text in files.items()})
    target = tmp_path / ("acme.py" if (tmp_path / "acme.py").exists() else "pkg/a.py")
    assert locate(str(target)).source.requires == requires


def test_the_import_leaves_no_cache_beside_the_authors_file(tmp_path):
    load(str(write(tmp_path, {"acme.py": GOOD}) / "acme.py"))
    assert os.listdir(tmp_path) == ["acme.py"]
