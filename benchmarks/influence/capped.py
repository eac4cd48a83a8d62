"""A process that is stopped where it takes more CPU seconds than a cap."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from typing import Any

import psutil

LOOK_EVERY = 0.2  # seconds


def finished(command: list[str], cap: float | None, **options: Any) -> tuple[int | None, float]:
    """The exit status, None if it was stopped at the cap, and the CPU seconds last looked at.

    Without a cap nobody looks. Nothing that the process started goes on.
    """
    child, used = subprocess.Popen(command, start_new_session=True, **options), 0.0
    try:
        while child.poll() is None:
            if cap is not None and (used := _cpu_of(child.pid)) > cap:
                return None, used
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(LOOK_EVERY)
        return child.returncode, used
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)  # it and what it forked are one session
            child.wait()


def _cpu_of(pid: int) -> float:
    """CPU seconds of a process and of those that it started, also where these have ended."""
    total = 0.0
    with contextlib.suppress(psutil.NoSuchProcess):
        parent = psutil.Process(pid)
        for process in (parent, *parent.children(recursive=True)):
            with contextlib.suppress(psutil.NoSuchProcess):
                total += sum(process.cpu_times()[:4])  # user, system, and those of ended children
    return total
