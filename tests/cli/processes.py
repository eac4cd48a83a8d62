"""The command as a process of its own."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

ARBITREE = [sys.executable, "-m", "arbitree"]


def finished(*arguments: object, **options: object) -> subprocess.CompletedProcess:
    """Run the command to its end."""
    command = [*ARBITREE, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, timeout=120, check=False, **options)


def signalled(
    number: signal.Signals, given: bytes, *arguments: object, **options: object
) -> subprocess.CompletedProcess:
    """Give the command more than a pipe holds: once it is written, the command is at work.

    It waits for the rest of its standard input when the signal comes.
    """
    command = [*ARBITREE, *map(str, arguments)]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, **pipes, **options) as process:
        assert process.stdin is not None
        process.stdin.write(given)
        process.stdin.flush()
        time.sleep(0.5)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    return subprocess.CompletedProcess(command, process.returncode, out, err)
