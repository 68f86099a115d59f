"""Windows: a run lives in a job object that ends with the worker's last handle to it, whatever the worker dies of."""

import ctypes
import os
import subprocess
import weakref
from typing import Any

from agent_connector.errors import HostError, SandboxError
from agent_connector.worker.sandbox.policy import Wrapped

EXTENDED_LIMITS = 9  # JobObjectExtendedLimitInformation
KILL_ON_JOB_CLOSE = 0x2000
DIE_ON_UNHANDLED_EXCEPTION = 0x400
CREATE_SUSPENDED = 0x4
CREATE_NEW_PROCESS_GROUP = 0x200
ENDED = 1

_jobs: "weakref.WeakKeyDictionary[subprocess.Popen[bytes], int]" = weakref.WeakKeyDictionary()


class BasicLimits(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION."""

    _fields_ = [
        ("per_process_time", ctypes.c_int64),
        ("per_job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("minimum_working_set", ctypes.c_size_t),
        ("maximum_working_set", ctypes.c_size_t),
        ("active_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority_class", ctypes.c_uint32),
        ("scheduling_class", ctypes.c_uint32),
    ]


class ExtendedLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION; the six counters of IO_COUNTERS are never looked at."""

    _fields_ = [
        ("basic", BasicLimits),
        ("io", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    ]


def limits() -> ExtendedLimits:
    """No process may leave the job, and the end of the job's last handle is the end of all in it."""
    value = ExtendedLimits()
    value.basic.flags = KILL_ON_JOB_CLOSE | DIE_ON_UNHANDLED_EXCEPTION
    return value


def begin(wrapped: Wrapped, cwd: str, stdin: int, kernel: Any = None, native: Any = None) -> "subprocess.Popen[bytes]":
    """The command, suspended until it is in its job, so that it can start nothing outside."""
    kernel = kernel or _library("kernel32")
    native = native or _library("ntdll")
    job = kernel.CreateJobObjectW(None, None)
    value = limits()
    if not job or not kernel.SetInformationJobObject(job, EXTENDED_LIMITS, ctypes.byref(value), ctypes.sizeof(value)):
        raise SandboxError("Windows gives no job object", remedy="does a policy of this machine forbid it?")
    try:
        process = subprocess.Popen(
            list(wrapped.argv),
            cwd=cwd,
            env=dict(wrapped.environment),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            creationflags=(CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP) if os.name == "nt" else 0,
        )
    except OSError as error:
        kernel.CloseHandle(job)
        raise HostError(f"{wrapped.argv[0]!r} cannot be started: {error}") from None
    handle = int(getattr(process, "_handle", 0))
    if not kernel.AssignProcessToJobObject(job, handle):
        process.kill()
        process.wait()
        for pipe in (
            process.stdin,
            process.stdout,
            process.stderr,
        ):  # unread: who has inherited an end may hold it for long
            if pipe is not None:
                pipe.close()
        kernel.CloseHandle(job)
        raise SandboxError("the run cannot be put into a job object", remedy="start the worker outside of a job")
    _jobs[process] = job
    weakref.finalize(process, kernel.CloseHandle, job)
    native.NtResumeProcess(handle)
    return process


def end(process: "subprocess.Popen[bytes]", kernel: Any = None) -> None:
    """End everything in the process's job."""
    job = _jobs.get(process)
    if job is not None:
        (kernel or _library("kernel32")).TerminateJobObject(job, ENDED)


def _library(name: str) -> Any:
    """With handles as wide as pointers: ctypes would cut them to 32 bits."""
    library: Any = getattr(ctypes, "WinDLL")(name)  # noqa: B009 - the name exists on Windows only
    handle = ctypes.c_void_p
    if name == "kernel32":
        library.CreateJobObjectW.restype = handle
        library.CreateJobObjectW.argtypes = [ctypes.c_void_p, ctypes.c_wchar_p]
        library.SetInformationJobObject.argtypes = [handle, ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32]
        library.AssignProcessToJobObject.argtypes = [handle, handle]
        library.TerminateJobObject.argtypes = [handle, ctypes.c_uint32]
        library.CloseHandle.argtypes = [handle]
    else:
        library.NtResumeProcess.argtypes = [handle]
    return library
