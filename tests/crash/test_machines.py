"""Two machines share a crawl: each has a network, a host name, a file system and a clock of its own. One of them goes away.

Network namespaces stand for machines. In them, what is on loopback outside (web, name server, database) is reached by a cable.
"""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from synthweb.running import RunningWeb
from tests.crash.harness import FAST, FAULTY, IN_FLIGHT, NAME, ROOT, CrashSite, must
from tests.crash.manners import assert_whole
from tests.crash.served import OwnServer, serving
from tests.faults import watch
from tests.patience import PATIENCE
from tests.postgres import Unavailable
from tests.processes import die_with_parent

pytestmark = pytest.mark.slow
DAY = 86_400
DEAD_SECONDS = 20
"""Ten heartbeats: with two, a machine that was only slow was taken for dead. Meanwhile the other fetches what is left."""
SLOWER = {"POLITENESS_DELAY": "0.5", "POLITENESS_CONCURRENCY": "1"}
"""The second machine finds work that is left: on a busy computer it starts some seconds after the first."""
LEASES_OF_FIRST = "select 1 from lease where worker=(select min(id) from worker)"
OUTSIDE, INSIDE = "10.213.{}.1", "10.213.{}.2"
_numbers = itertools.count(os.getpid() % 200)


class Machine:
    """`disk`: a file system of its own, which `others` do not see. `clock`: seconds that it is wrong."""

    def __init__(self, disk: Path, clock: int) -> None:
        self.disk, self.clock = disk, clock
        number = next(_numbers) % 256
        self.name, self._cable = f"fc-{os.getpid()}-{number}", f"fc{number}x{os.getpid()}"[:15]
        self._addresses = OUTSIDE.format(number), INSIDE.format(number)
        self.log = disk.with_suffix(".log")
        self.process: subprocess.Popen[bytes] | None = None

    def build(self) -> None:
        """The test is skipped where this process may not do so."""
        outside, inside = self._addresses
        self.disk.mkdir()
        must("mount", "-t", "tmpfs", "-o", "size=200m", "tmpfs", self.disk)
        must("ip", "netns", "add", self.name)
        must("ip", "link", "add", self._cable, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        must("ip", "addr", "add", f"{outside}/30", "dev", self._cable)
        must("ip", "link", "set", self._cable, "up")
        must("ip", "-n", self.name, "addr", "add", f"{inside}/30", "dev", "eth0")
        must("ip", "-n", self.name, "link", "set", "eth0", "up")
        must("sysctl", "-qw", f"net.ipv4.conf.{self._cable}.route_localnet=1")
        must("ip", "netns", "exec", self.name, "sysctl", "-qw", "net.ipv4.conf.eth0.route_localnet=1")
        self._route()

    def start(self, site: CrashSite, others: list[Machine]) -> None:
        """A worker of the crawl."""
        (self.disk / "jumped").touch()
        arguments = ["-a", f"seeds={site.folder / 'seeds.txt'}", "-a", f"name={NAME}", "-a", "strategy=breadth-first"]
        arguments += ["-a", "keywords=telescope,望远镜"]
        own = {"CRAWLS_DIR": self.disk, "DNS_SERVERS": site.web.dns, "STORE_URL": site.url}
        settings = {**FAST, **SLOWER, **own, **watch.settings()}
        for name, value in settings.items():
            arguments += ["-s", f"{name}={value}"]
        prepare = [f"mount -t tmpfs tmpfs {other.disk}" for other in others]
        prepare += [f"hostname {self.name}", 'exec "$@"']
        command = ["ip", "netns", "exec", self.name, "unshare", "--uts", "sh", "-ec", "; ".join(prepare), "sh"]
        command += [sys.executable, "-m", FAULTY, "crawl", "topic", *arguments]
        environment = {"CLOCK_JUMP": f"{self.clock},{self.disk / 'jumped'}", "DEAD_SECONDS": str(DEAD_SECONDS)}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                preexec_fn=die_with_parent,
            )  # fmt: skip

    def end(self) -> int:
        assert self.process
        return self.process.wait(PATIENCE)

    def lose_power(self) -> None:
        """Nothing that it says arrives any more, not even that its connections end."""
        must("ip", "link", "set", self._cable, "down")
        assert self.process
        self.process.kill()
        self.process.wait()

    def get_power(self) -> None:
        must("ip", "link", "set", self._cable, "up")
        self._route()

    def remove(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for command in (
            ["ip", "link", "del", self._cable],
            ["ip", "netns", "del", self.name],
            ["umount", "-l", str(self.disk)],
        ):
            subprocess.run(command, capture_output=True, check=False)

    def _route(self) -> None:
        outside, inside = self._addresses
        route = ("127.0.0.0/8", "via", outside, "dev", "eth0", "src", inside)
        must("ip", "-n", self.name, "route", "replace", *route)


@pytest.fixture
def machines() -> Iterator[list[Machine]]:
    """One is a day ahead, the other a day behind."""
    if os.geteuid() or not shutil.which("ip") or not shutil.which("unshare"):
        pytest.skip("machines are made by root alone, with ip and unshare")
    folder = Path(tempfile.mkdtemp(prefix="machines-", dir="/tmp"))
    made = [Machine(folder / "ahead", DAY), Machine(folder / "behind", -DAY)]
    try:
        for machine in made:
            machine.build()
        yield made
    finally:
        for machine in made:
            machine.remove()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def server() -> Iterator[OwnServer]:
    try:
        with serving() as server:
            with (server.folder / "data" / "pg_hba.conf").open("a") as allowed:
                allowed.write("host all all 10.213.0.0/16 scram-sha-256\n")
            server.admin("select pg_reload_conf()")
            yield server
    except Unavailable as why:
        pytest.skip(str(why))


def test_a_machine_that_loses_power_and_network_costs_what_it_had_in_flight(
    web: RunningWeb, tmp_path: Path, machines: list[Machine], server: OwnServer
) -> None:
    site = CrashSite(web, tmp_path, served=server)
    lost, other = machines
    lost.start(site, [other])
    assert site.wait_until(lambda: len(site.accesses()) > 10, lost.process), log_of(lost)
    gather(site, machines)  # where its store is
    other.start(site, [lost])
    # Both fetch. At one request a host and pauses between, moments in which both hold a lease are rare.
    assert site.wait_until(lambda: len(site.rows("select distinct worker from page")) == 2, lost.process), log_of(lost)
    assert site.wait_until(lambda: bool(site.rows(LEASES_OF_FIRST)), lost.process), log_of(lost)
    lost.lose_power()
    assert other.end() == 0, log_of(other)
    lost.get_power()
    lost.start(site, [other])
    assert lost.end() == 0, log_of(lost)
    gather(site, machines)
    assert_whole(site, 2 * IN_FLIGHT)
    assert len(site.rows("select distinct machine from worker")) == 2
    site.close()


def log_of(machine: Machine) -> str:
    return machine.log.read_text("utf-8", "replace")[-2000:]


def gather(site: CrashSite, machines: list[Machine]) -> None:
    """What lies on the disks of the machines, in one crawl directory, and their logs in one."""
    for machine in machines:
        if (machine.disk / NAME).is_dir():
            shutil.copytree(machine.disk / NAME, site.directory, dirs_exist_ok=True)
    site.log.write_text("".join(machine.log.read_text("utf-8", "replace") for machine in machines if machine.log.exists()))
