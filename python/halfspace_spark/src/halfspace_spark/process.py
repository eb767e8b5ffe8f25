"""Runs one halfspace command beside a task: bytes in, its last line out."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
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
    lines = exchange(arguments, lambda pipe: [pipe.write(piece) for piece in pieces])[-65536:]
    told = lines.decode(errors="replace").strip().splitlines()
    return told[-1] if told else ""


def exchange(arguments: Sequence[str], feed: Callable[[IO[bytes]], object]) -> bytes:
    """Runs the command, lets ``feed`` write its input, and returns what it prints.

    Raises CommandError if the command fails, and whatever ``feed`` raises.
    """
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([*command(), *arguments], stdin=subprocess.PIPE, stdout=output, stderr=errors)
        try:
            _feed(process, feed)
        finally:
            status = process.wait()
        if status != 0:
            raise CommandError(sentence(errors, status), status)
        output.seek(0)
        return output.read()


@contextmanager
def conversation(arguments: Sequence[str]) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Runs the command beside the caller, who writes to its input and reads its output in turn.

    Raises CommandError at the end if the command failed.
    """
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [*command(), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
        )
        assert process.stdin is not None and process.stdout is not None
        try:
            yield process.stdin, process.stdout
            process.stdin.close()
            process.stdout.read()
        except BaseException as error:
            gone = isinstance(error, BrokenPipeError | EOFError)
            if not gone:
                process.kill()
            status = process.wait()
            if gone and status != 0:
                raise CommandError(sentence(errors, status), status) from error
            raise
        finally:
            with suppress(BrokenPipeError):
                process.stdin.close()
            process.stdout.close()
            status = process.wait()
        if status != 0:
            raise CommandError(sentence(errors, status), status)


def _feed(process: subprocess.Popen[bytes], feed: Callable[[IO[bytes]], object]) -> None:
    """Writes the input of a command."""
    assert process.stdin is not None
    try:
        feed(process.stdin)
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


def sentence(errors: IO[bytes], status: int) -> str:
    """Returns the last line that the command wrote about its end."""
    errors.seek(max(0, errors.seek(0, 2) - 8192))
    lines = errors.read().decode(errors="replace").strip().splitlines()
    told = [line for line in lines if line.startswith("halfspace: ")] or lines[-1:]
    if status < 0:
        return f"signal {-status} ended the worker" + (f": {told[-1]}" if told else "")
    return told[-1].removeprefix("halfspace: ") if told else f"the worker ended with status {status}"
