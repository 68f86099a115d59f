"""The cases, as a module that a person also reads."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def cases() -> ModuleType:
    """`cases.py` beside this file."""
    spec = importlib.util.spec_from_file_location("redaction_cases", Path(__file__).with_name("cases.py"))
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
