"""A server of S3 on this machine, for tests: moto."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator

KEYS = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "secret-of-the-test",
    "AWS_REGION": "us-east-1",
}


@contextlib.contextmanager
def serve() -> Iterator[str]:
    """Starts a server with the bucket `chess`, and sets the variables of the environment by which it is found.
    Yields its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    endpoint = f"http://127.0.0.1:{port}"
    before = dict(os.environ)
    os.environ.update(KEYS, AWS_ENDPOINT=endpoint)
    try:
        for _ in range(600):
            try:
                put(endpoint, "", b"")
                break
            except OSError:
                time.sleep(0.1)
        else:
            raise RuntimeError("the server of S3 does not start")
        yield endpoint
    finally:
        server.kill()
        server.wait()
        os.environ.clear()
        os.environ.update(before)


def put(endpoint: str, key: str, data: bytes) -> None:
    """Makes the bucket, or an object in it, which everybody may read."""
    request = urllib.request.Request(f"{endpoint}/chess/{key}", data, method="PUT")
    # The server does not check signatures, but needs one to know the service.
    request.add_header("Authorization", "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request")
    request.add_header("Content-Type", "application/octet-stream")
    request.add_header("x-amz-acl", "public-read")
    urllib.request.urlopen(request, timeout=30).close()
