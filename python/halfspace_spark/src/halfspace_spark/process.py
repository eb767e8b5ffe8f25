"""Runs one halfspace command beside a task: bytes in, its last line out."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import IO

from halfspace_spark.node import command

#: Exit statuses of the command that a second try cannot change: wrong options, bad data.
FINAL_STATUSES = (2, 3)


class CommandError(RuntimeError):
    """A halfspace command that failed, with its own sentence."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message, status)
        self.message = message
        self.status = status

    def __str__(self) -> str:
        return self.message


def call(arguments: Sequence[str], pieces: Iterable[bytes] = ()) -> str:
    """Runs the command, writes the pieces to its input, and returns the last line that it prints.

    Raises CommandError if the command fails, and whatever ``pieces`` raises.
    """
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([*command(), *arguments], stdin=subprocess.PIPE, stdout=output, stderr=errors)
        try:
            _feed(process, pieces)
        finally:
            status = process.wait()
        if status != 0:
            raise CommandError(_sentence(errors, status), status)
        output.seek(max(0, output.seek(0, 2) - 65536))
        lines = output.read().decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else ""


def _feed(process: subprocess.Popen[bytes], pieces: Iterable[bytes]) -> None:
    """Writes the pieces to the input of a command."""
    assert process.stdin is not None
    try:
        for piece in pieces:
            process.stdin.write(piece)
        process.stdin.flush()
    except BrokenPipeError:
        pass  # The command ended early. Its exit status says why.
    except BaseException:
        # The end of the input would look like the end of the rows, so the command must not see it.
        process.kill()
        raise
    finally:
        with suppress(BrokenPipeError):
            process.stdin.close()


def _sentence(errors: IO[bytes], status: int) -> str:
    """Returns the last line that the command wrote about its end."""
    errors.seek(max(0, errors.seek(0, 2) - 8192))
    lines = errors.read().decode(errors="replace").strip().splitlines()
    told = [line for line in lines if line.startswith("halfspace: ")] or lines[-1:]
    if status < 0:
        return f"signal {-status} ended the worker" + (f": {told[-1]}" if told else "")
    return told[-1].removeprefix("halfspace: ") if told else f"the worker ended with status {status}"
