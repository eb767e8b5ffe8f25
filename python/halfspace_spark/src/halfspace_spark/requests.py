"""Keeps one halfspace command for many steps, because a start of Node takes longer than a small step."""

from __future__ import annotations

import gc
import json
import os
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, TypeAlias
from zipimport import zipimporter

import pyarrow as pa

from halfspace_spark.node import command
from halfspace_spark.process import CommandError, sentence

#: Seconds after its last step until a kept process ends.
IDLE_SECONDS = 3.0

#: Bytes that the pipe to the command holds, where the system allows it.
_PIPE_BYTES = 1 << 20

Bytes: TypeAlias = bytes | pa.Buffer


class Requests:
    """One ``halfspace worker --requests``. It starts with the first request, and ends when it was idle for a while.

    A process of Python that ends, however it ends, closes the input of the command, which then ends too.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._used = 0.0

    def ask(self, head: dict[str, Any], state: bytes | None, blocks: Iterable[Bytes]) -> tuple[dict[str, Any], bytes]:
        """Sends a request, and returns the head of the answer and its bytes.

        Raises CommandError if halfspace refuses the data or the job, or if the process fails; and whatever ``blocks``
        raises.
        """
        with self.request(head, state) as request:
            for block in blocks:
                request.write(block)
            return request.answer()

    @contextmanager
    def request(self, head: dict[str, Any], state: bytes | None) -> Iterator[Request]:
        """Begins a request, to which the caller adds blocks. Its ``answer`` must be read before the end.

        Raises CommandError as ``ask`` does.
        """
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._start()
            assert self._process is not None and self._errors is not None
            try:
                request = Request(self._process)
                for frame in (json.dumps(head).encode(), state or b""):
                    request.write(frame)
                yield request
            except CommandError:
                raise  # a refusal is a whole answer
            except (BrokenPipeError, EOFError) as error:
                status = self._process.wait()
                message = sentence(self._errors, status)
                self._end()
                raise CommandError(message, status or 1) from error
            except BaseException:
                # The command is in the middle of a request.
                self._end()
                raise
            finally:
                self._used = time.monotonic()

    def close(self) -> None:
        """Ends the process, if there is one."""
        with self._lock:
            self._end()

    def __enter__(self) -> Requests:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self) -> None:
        self._end()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115, it lives as long as the process
        self._process = subprocess.Popen(
            [*command(), "worker", "--requests"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            pipesize=_PIPE_BYTES,
        )
        threading.Thread(target=self._watch, args=(self._process,), daemon=True).start()

    def _watch(self, process: subprocess.Popen[bytes]) -> None:
        """Ends the process after idle seconds. A request in progress holds the lock."""
        while process.poll() is None:
            with self._lock:
                if process is not self._process:
                    return
                left = self._used + IDLE_SECONDS - time.monotonic()
                if self._used > 0 and left <= 0:
                    self._end()
                    return
            time.sleep(max(0.05, left))

    def _end(self) -> None:
        process, self._process, self._used = self._process, None, 0.0
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                assert pipe is not None
                with suppress(BrokenPipeError):
                    pipe.close()
        if self._errors is not None:
            self._errors.close()
            self._errors = None


class Request:
    """A request in progress."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._pipe, self._answers = process.stdin, process.stdout

    def write(self, frame: Bytes) -> None:
        """Adds a block."""
        self._pipe.write(struct.pack("<I", len(frame)))
        self._pipe.write(frame)

    def answer(self) -> tuple[dict[str, Any], bytes]:
        """Returns the head of the answer and its bytes. Raises CommandError for a refusal."""
        self.write(b"")
        self._pipe.flush()
        told, made = json.loads(_read(self._answers)), _read(self._answers)
        if told["status"] != 0:
            raise CommandError(told["message"], told["status"])
        return told, made


_kept: tuple[int, Requests] | None = None


def kept() -> Requests:
    """Returns the requests of this process, which tasks share one after the other."""
    global _kept
    if _kept is None or _kept[0] != os.getpid():
        # A worker of Spark collects garbage after each task, which takes 40 ms of all that was imported.
        gc.freeze()
        _kept = (os.getpid(), Requests())
    _forget_archives()
    return _kept[1]


def _forget_archives() -> None:
    """Drops the importers of archives. Python makes them again for an import.

    Before each task, a worker of Spark lets them read the list of files in pyspark.zip again, which takes 45 ms.
    """
    for path, importer in list(sys.path_importer_cache.items()):
        if isinstance(importer, zipimporter):
            del sys.path_importer_cache[path]


def _read(pipe: IO[bytes]) -> bytes:
    length: int = struct.unpack("<I", _exactly(pipe, 4))[0]
    return _exactly(pipe, length)


def _exactly(pipe: IO[bytes], length: int) -> bytes:
    found = pipe.read(length)
    if len(found) < length:
        raise EOFError("the command ended")
    return found
