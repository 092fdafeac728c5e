"""A server from its start to its end."""

from __future__ import annotations

import asyncio
import errno
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from slant.errors import MissingExtra, OptionError, SlantError

if TYPE_CHECKING:
    from slant.web.access import Access
    from slant.web.desk import Desk
    from slant.web.settings import Settings

PORT: Final = 8421
_CONNECTIONS: Final = 200
_GRACE: Final = 3
_PACKAGES: Final = ("fastapi", "uvicorn", "python_multipart")
Told = Callable[[str, str], None]


def history_file() -> Path:
    """Where the history lies unless told otherwise: the platform's folder for data of programs."""
    from platformdirs import user_data_path

    return user_data_path("slant") / "history.sqlite3"


def serve(
    settings: Settings,
    *,
    host: str = "127.0.0.1",
    port: int = PORT,
    token: str | None = None,
    history: Path | None = None,
    told: Told = lambda address, token: None,
    teaching: Callable[[], None] = lambda: None,
    stop: threading.Event | None = None,
) -> None:
    """Serve until a signal comes.

    Args:
        settings: what is analysed with.
        host: that it listens on; any other than this machine alone needs a token.
        port: 0 for one that is free.
        token: None: made where one is needed.
        history: the file; None keeps nothing after the end.
        told: called once it answers, with its address and the token ("" for none).
        teaching: called before the light detector is taught, which is done once.
        stop: ends it too.

    Raises:
        MissingExtra: packages of the extra `web` are missing.
        OptionError: a host or port that cannot be had, a token that can be guessed.
        DataError: the history cannot be opened. SlantError: a detector cannot be loaded.
    """
    check_packages()
    from slant.web.access import access_to
    from slant.web.desk import Desk
    from slant.web.history import History

    access = access_to(host, token)
    fresh = history is not None and not history.exists()
    try:
        with closing(listening(host, port)) as opened, closing(History(history)) as kept:
            desk = Desk(kept, settings, str(history or ""), teaching)
            asyncio.run(_serve(desk, access, opened, told, stop))
    except SlantError:
        # A server that did not come up has kept nothing.
        if fresh and history is not None:
            for path in (history, Path(f"{history}.lock")):
                path.unlink(missing_ok=True)
        raise


def check_packages() -> None:
    """Refuse to serve without the packages of the extra `web`.

    Raises:
        MissingExtra: naming those that are absent.
    """
    absent = [name for name in _PACKAGES if not find_spec(name)]
    if absent:
        found = f"{' and '.join(absent)} {'is' if len(absent) == 1 else 'are'} not installed"
        raise MissingExtra("Serving", found, 'Run pip install "slant[web,analyze]"')


def listening(host: str, port: int) -> socket.socket:
    """A socket on a host and port that nobody else has.

    Raises:
        OptionError: it cannot be had.
    """
    asked = f"Listening on {host} port {port}"
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError):
        raise OptionError(asked, "the host is none of this machine", "Mend --host") from None
    opened = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":  # there it would let two programs have one port
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(place)
        opened.listen(128)
    except OSError as error:
        opened.close()
        reasons = {
            errno.EADDRINUSE: "another program has the port",
            errno.EACCES: "the port may not be used",
            errno.EADDRNOTAVAIL: "the host is none of this machine",
        }
        found = reasons.get(error.errno or 0, f"the system says '{error.strerror or error}'")
        raise OptionError(asked, found, "Give another --port or --host") from None
    return opened


async def _serve(
    desk: Desk, access: Access, opened: socket.socket, told: Told, stop: threading.Event | None
) -> None:
    from slant.web.site import site

    port = opened.getsockname()[1]
    shown = f"[{access.host}]" if ":" in access.host else access.host
    try:
        await desk.open()
        server = _server(site(desk, access), lambda: told(f"http://{shown}:{port}/", access.token))
        watch = asyncio.create_task(_watched(server, stop)) if stop else None
        await server.serve(sockets=[opened])
        if watch:
            watch.cancel()
    finally:
        await desk.close()


async def _watched(server: Any, stop: threading.Event) -> None:
    while not stop.is_set():
        await asyncio.sleep(0.05)
    server.should_exit = True


def _server(app: Any, ready: Callable[[], None]) -> Any:
    import logging

    import uvicorn

    # It would write of each damaged form what it expected where.
    logging.getLogger("python_multipart").setLevel(logging.CRITICAL)

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready()

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            # uvicorn raises the signal once more at its end, which would look like a death.
            if threading.current_thread() is not threading.main_thread():
                yield
                return
            ends = (signal.SIGINT, signal.SIGTERM)
            before = {one: signal.signal(one, self.handle_exit) for one in ends}
            try:
                yield
            finally:
                for one, handler in before.items():
                    signal.signal(one, handler)

    return Server(
        uvicorn.Config(
            app, log_config=None, log_level="critical", access_log=False, lifespan="off", ws="none",
            server_header=False, limit_concurrency=_CONNECTIONS,
            timeout_graceful_shutdown=_GRACE, http="h11",
        )
    )  # fmt: skip
