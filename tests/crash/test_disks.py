"""A disk that has no inodes left, or that the kernel has turned read-only. Needs root, which may mount."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from synthweb.running import RunningWeb
from tests.crash.harness import GOES_ON, WAITS, CrashSite, assert_stands_still, must
from tests.crash.manners import assert_whole, judge

pytestmark = pytest.mark.slow
SMALL_FILES = {"ARCHIVE_MAX_BYTES": 100_000}
"""Each WARC file holds a few pages: a new one is wanted again and again."""
IMAGE_BYTES = 200 << 20


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where something can be mounted."""
    if os.geteuid():
        pytest.skip("a disk can be mounted by root alone")
    made = Path(tempfile.mkdtemp(prefix="disk-", dir="/tmp"))
    yield made
    subprocess.run(["umount", "-l", made], capture_output=True, check=False)
    made.rmdir()


def test_f08_a_disk_without_inodes_is_waited_for(web: RunningWeb, folder: Path) -> None:
    must("mount", "-t", "tmpfs", "-o", "size=200m", "tmpfs", folder)
    with closing(CrashSite(web, folder)) as site:
        process = site.start(settings=SMALL_FILES)
        assert site.wait_requests(process, 60)
        used = os.statvfs(folder).f_files - os.statvfs(folder).f_ffree
        must("mount", "-o", f"remount,nr_inodes={used}", folder)
        assert site.says(WAITS, process), site.log_end()
        assert_stands_still(site, process)
        must("mount", "-o", "remount,nr_inodes=100000", folder)
        assert site.end_of(process) == 0, site.log_end()
        assert GOES_ON in site.log_text()
        assert_whole(site)


def test_f08_a_disk_that_turns_read_only_and_is_repaired(web: RunningWeb, folder: Path, tmp_path: Path) -> None:
    """As ext4 does it by itself when it meets an error. It has to be repaired then, which takes back what was not synced."""
    image = tmp_path / "image"
    with image.open("wb") as file:
        file.truncate(IMAGE_BYTES)
    must("mkfs.ext4", "-q", "-F", image)
    must("mount", "-o", "loop,errors=remount-ro", image, folder)
    device = must("findmnt", "-n", "-o", "SOURCE", folder)
    site = CrashSite(web, folder)
    site.log = tmp_path / "crawl.log"
    must("sync", "-f", folder)  # the seeds
    try:
        process = site.start()
        assert site.wait_requests(process, 60)
        Path("/sys/fs/ext4", Path(device).name, "trigger_fs_error").write_text("1")
        assert site.says(WAITS, process), site.log_end()
        assert_stands_still(site, process)
        process.send_signal(signal.SIGTERM)
        assert site.end_of(process) == 143, site.log_end()
        must("umount", folder)
        # A mount that comes before the image is let go of takes the same device, whose file system is still read-only.
        site.wait_until(lambda: not must("losetup", "-j", image))
        assert subprocess.run(["e2fsck", "-p", "-f", image], capture_output=True, check=False).returncode in (0, 1)
        must("mount", "-o", "loop", image, folder)
        assert site.run() == 0, site.log_end()
        found = judge(site)
        assert found.wrong == [], site.log_end()
        assert len(found.pages) == web.plan.pages
    finally:
        site.close()
