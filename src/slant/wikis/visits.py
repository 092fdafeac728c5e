"""How a program behaves on someone's server: it says who it is, obeys robots.txt, waits."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urljoin, urlsplit

from slant import __version__
from slant.data.addresses import without_credentials, without_user
from slant.data.transfers import waiting_time
from slant.errors import DataError, OptionError, WorkFailed
from slant.wikis.connection import Answer, Connection, Later
from slant.wikis.robots import Robots, robots_rules

PROGRAM = "slant"
REDIRECTS = 5
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Manners:
    """How a server is asked.

    Fields:
        contact: a mail address or page by which its people reach whoever crawls.
        allowed_by: who there has allowed what robots.txt forbids; None: robots.txt is obeyed.
        pause: seconds between an answer and the next request, at least; a longer Crawl-delay of
            robots.txt goes before.
        attempts: for one request, in a row.
        wait: seconds after the first failure, doubled by each further one, and never less than
            Retry-After says.
        longest_wait: seconds; whoever asks for more is asked again another day.
        lag: seconds that the wiki's databases may be behind (maxlag).
        timeout: seconds of silence.
        largest: bytes of an answer.
    """

    contact: str | None = None
    allowed_by: str | None = None
    pause: float = 0.0
    attempts: int = 8
    wait: float = 1.0
    longest_wait: float = 600.0
    lag: int = 5
    timeout: float = 60.0
    largest: int = 64 << 20

    @property
    def agent(self) -> str:
        """The User-Agent.

        Raises:
            OptionError: a contact that a header cannot hold.
        """
        contact = self.contact or ""
        if not contact.isprintable() or not contact.isascii() or set(contact) & set("()"):
            found = "a header cannot hold it"
            do = "Give a mail address or the address of a page, in ASCII"
            raise OptionError(f"Reading --contact {contact!r}", found, do)
        return f"{PROGRAM}/{__version__} ({contact or 'research crawler; no contact given'})"


class Forbidden(DataError):
    """The site's robots.txt does not want it asked."""


class NoAnswer(WorkFailed):
    """All attempts failed. `code` is that of the last `Later`."""

    code = ""


class Visitor:
    """Asks servers by its manners, over one connection.

    Args:
        manners: how.
        waiting: told why it waits and how many seconds.
    """

    def __init__(
        self, manners: Manners, waiting: Callable[[str, float], None] | None = None
    ) -> None:
        self.manners = manners
        self.waiting = waiting or (lambda why, seconds: None)
        self._connection = Connection(manners.agent, manners.timeout, manners.largest)
        self._robots: dict[str, Robots] = {}
        self._reached: set[str] = set()
        self._last = -float("inf")

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    def ask(self, url: str) -> Answer:
        """The answer to one GET, after redirects; one attempt.

        Raises:
            Later: none came. Forbidden: by robots.txt. DataError: redirects go in a circle.
        """
        for _ in range(REDIRECTS + 1):
            robots = self._rules(url)
            parts = urlsplit(url)
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            if self.manners.allowed_by is None and not robots.allows(target):
                raise Forbidden(
                    f"Asking '{url.partition('?')[0]}'",
                    f"robots.txt of {parts.hostname} forbids it to programs such as slant",
                    "Use a dump (slant wiki dump), or ask the wiki's people and say who allowed it "
                    "by --allowed-by",
                )
            answer = self._paced(url, robots.delay)
            place = answer.headers.get("location")
            if answer.status not in {301, 302, 303, 307, 308} or not place:
                return answer
            url = without_user(urljoin(url, place))
            if urlsplit(url).scheme not in {"http", "https"}:
                break
        shown = without_credentials(url)
        raise DataError(f"Asking '{shown}'", "it sends on and on", "Give the wiki's final address")

    def patiently(self, asked: str, attempt: Callable[[], Result]) -> Result:
        """What `attempt` returns, tried again with growing pauses while it raises `Later`.

        Args:
            asked: for errors.
            attempt: one attempt.

        Raises:
            NoAnswer: attempts are used up, or the server asks for too long a wait.
        """
        longest = self.manners.longest_wait
        for number in range(1, self.manners.attempts + 1):
            try:
                return attempt()
            except Later as trouble:
                wait = min(self.manners.wait * 2 ** (number - 1), longest)
                wait = max(wait, trouble.after or 0.0)
                most, why = self._attempts(trouble.code), str(trouble)
                reached = bool(self._reached)
                if wait > longest:
                    found = f"{why}, and asks to wait {wait:.0f} s"
                    raise _gave_up(asked, found, trouble, reached) from None
                if number >= most:
                    found = f"{why} at attempt {number}"
                    raise _gave_up(asked, found, trouble, reached) from None
            self.waiting(why, wait)
            time.sleep(wait)
        raise AssertionError

    def _attempts(self, code: str) -> int:
        if code == "too-big":
            return 1
        # Somebody who mistyped a name should not wait for minutes to hear it.
        if code == "network" and not self._reached:
            return 2
        # What breaks inside the wiki's program breaks again.
        inside = code == "status-500" or code.startswith("internal_api_error")
        return min(3, self.manners.attempts) if inside else self.manners.attempts

    def _paced(self, url: str, delay: float) -> Answer:
        rest = self._last + max(self.manners.pause, delay) - time.monotonic()
        if rest > 0:
            time.sleep(rest)
        try:
            answer = self._connection.ask(url)
        finally:
            self._last = time.monotonic()
        self._reached.add(_origin(url))
        return answer

    def _rules(self, url: str) -> Robots:
        origin = _origin(url)
        if origin not in self._robots:
            self._robots[origin] = self._read_robots(f"{origin}/robots.txt")
        return self._robots[origin]

    def _read_robots(self, url: str) -> Robots:
        for _ in range(REDIRECTS + 1):
            answer = self._paced(url, 0.0)
            if answer.status in {301, 302, 303, 307, 308} and "location" in answer.headers:
                url = without_user(urljoin(url, answer.headers["location"]))
                if urlsplit(url).scheme in {"http", "https"}:
                    continue
            break
        if answer.status == 429 or answer.status >= 500:
            raise Later(
                f"robots.txt: the server answers {answer.status}",
                f"status-{answer.status}",
                retry_after(answer.headers),
            )
        # Any other answer than a file means that no rule was made (RFC 9309, 2.3.1.3).
        if answer.status != 200 or "html" in answer.headers.get("content-type", ""):
            return Robots()
        return robots_rules(answer.text, PROGRAM)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that Retry-After asks for, given as a number or a date; None where it does not.

    >>> retry_after({"retry-after": "30"})
    30.0
    """
    return waiting_time(headers.get("retry-after", ""), headers.get("date", ""))


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _gave_up(asked: str, found: str, trouble: Later, reached: bool) -> NoAnswer:
    do = "Run the same command again later: it goes on where it stopped"
    error = NoAnswer(asked, found, do if reached else "Check the address and the network")
    error.code = trouble.code
    return error
