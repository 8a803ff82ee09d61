#!/usr/bin/env python3
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The server of live pages: what it serves and refuses, to several viewers, until the program ends; and
the launcher, which starts it.

live-page-test.py LAUNCHER PROGRAM
"""

import contextlib
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

SERVER = pathlib.Path(__file__).resolve().parent.parent / "data/report/live.py"
bad = 0


def check(holds, what):
    global bad
    if not holds:
        print("error:", what)
        bad += 1


def connect(port, address="127.0.0.1"):
    client = socket.create_connection((address, port), timeout=20)
    return client


def receive(client):
    parts = []
    try:
        while part := client.recv(4096):
            parts.append(part)
    except ConnectionResetError:
        pass
    client.close()
    return b"".join(parts)


def ask(port, start):
    client = connect(port)
    client.sendall(start.encode("latin-1") + b"\r\n")
    return receive(client)


def get(port, target):
    return ask(port, f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n")


def status_of(response):
    found = re.match(rb"HTTP/1\.[01] ([0-9]{3}) ", response)
    return int(found[1]) if found else 0


def content_of(response):
    return response.partition(b"\r\n\r\n")[2]


def is_open(port, address="127.0.0.1"):
    try:
        connect(port, address).close()
        return True
    except OSError:
        return False


def wait_for(holds, what, seconds=20):
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    check(holds(), what)


def start(folder, *words):
    """The server in the background, and its port."""
    server = subprocess.Popen([sys.executable, SERVER, folder, *words], stderr=subprocess.PIPE, text=True)
    return server, int(re.fullmatch(r"live page: http://127\.0\.0\.1:([0-9]+)/\n", server.stderr.readline())[1])


def serves(port):
    response = get(port, "/")
    page = content_of(response)
    check(status_of(response) == 200 and b"<body data-live>" in page and b"connect-src 'self'" in page and b"/*DATA*/" not in page, "the page")
    check(content_of(get(port, "/progress.json")) == b'{"records":0}', "the state before the first")
    for header in (b"Cache-Control: no-store", b"X-Content-Type-Options: nosniff", b"Cross-Origin-Resource-Policy: same-origin",
                   b"Content-Type: text/html; charset=utf-8"):
        check(header in response, f"a header {header}")
    response = get(port, "/run.json")
    check(content_of(response) == b'{"name":"mine"}' and b"Content-Type: application/json" in response, "a record")
    head = ask(port, "HEAD / HTTP/1.1\r\nHost: localhost:8080\r\n")
    check(status_of(head) == 200 and content_of(head) == b"", "HEAD")


def refuses(port):
    for host in ("Host: evil.example\r\n", "Host: 127.0.0.1.evil.example\r\n", "Host: localhost:80x\r\n", "Host: localhost:\r\n",
                 "Host: localhost\r\nHost: evil.example\r\n", "Host:\r\n", ""):
        check(status_of(ask(port, "GET / HTTP/1.1\r\n" + host)) == 403, f"not refused: {host}")
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "CONNECT"):
        answer = ask(port, method + " / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n")
        check(status_of(answer) == 405 and b"Allow: GET, HEAD\r\n" in answer, method)
    for target in ("/../../etc/passwd", "/run.json/", "/report.html", "*", "/progress.json/", "/secret", "/run.json?x", "/%2e"):
        check(status_of(get(port, target)) == 404, target)
    check(status_of(ask(port, "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "x" * 70000 + "\r\n")) == 431, "a long header")
    check(status_of(get(port, "/" + "x" * 70000)) == 414, "a long path")
    # What is no HTTP at all gets no content, and the next request does.
    check(b"data-live" not in ask(port, "\x16\x03\x01\r\n"), "an answer to no HTTP")
    check(status_of(get(port, "/")) == 200, "nothing after no HTTP")
    # The whole network 127.0.0.0/8 is this machine; a socket on all addresses would answer.
    check(not is_open(port, "127.0.0.2"), "another address")


def count_threads(process):
    return len(os.listdir(f"/proc/{process.pid}/task"))


def serves_several(server, port):
    viewers = [connect(port) for _ in range(5)]
    for viewer in viewers:
        viewer.sendall(b"GET / HTTP/1.1\r\n")
    check(status_of(get(port, "/")) == 200, "beside others who have not finished")
    for viewer in viewers:
        viewer.sendall(b"Host: localhost\r\n\r\n")
        check(status_of(receive(viewer)) == 200, "a slow viewer")
    # 32 who have not finished, and one too many, who has: a connection that is only idle would be closed later, too.
    wait_for(lambda: count_threads(server) == 1, "a thread that does not end")
    viewers = [connect(port) for _ in range(32)]
    check(get(port, "/") == b"", "a viewer too many")
    for viewer in viewers:
        viewer.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        check(status_of(receive(viewer)) == 200, "one of 32 viewers")
    wait_for(lambda: status_of(get(port, "/")) == 200, "nothing after too many")
    # 32 who send a byte every second keep others out for as long as a request may take.
    wait_for(lambda: count_threads(server) == 1, "a thread that does not end")
    viewers = [connect(port) for _ in range(32)]
    end = time.monotonic() + 20
    while status_of(get(port, "/")) != 200 and time.monotonic() < end:
        for viewer in viewers:
            with contextlib.suppress(OSError):
                viewer.sendall(b"G")
        time.sleep(1)
    check(time.monotonic() < end, "32 slow viewers keep others out")
    for viewer in viewers:
        viewer.close()


def test_server():
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "run.json").write_text('{"name":"mine"}')
    (folder / "secret").write_text("secret")
    server, port = start(folder)
    serves(port)
    refuses(port)
    serves_several(server, port)
    taken = subprocess.run([sys.executable, SERVER, folder, str(port)], capture_output=True, text=True, check=False)
    check(taken.returncode == 1 and taken.stderr ==
          f"error: --live: found '{port}', expected a port that can be opened: Address already in use\n", taken.stderr)
    for name in ("run.json", "secret"):
        (folder / name).unlink()
    folder.rmdir()
    check(server.wait(20) == 0, "the server goes on without its folder")


def test_process():
    """In the background, until a process ends; only its own files are removed."""
    folder = pathlib.Path(tempfile.mkdtemp())
    for name in ("run.json", "other"):
        (folder / name).write_text(name)
    with subprocess.Popen(["sleep", "60"]) as program:
        server, port = start(folder, "0", str(program.pid))
        check(server.wait(20) == 0, "the server holds the launcher up")
        check(status_of(get(port, "/")) == 200, "in the background")
        program.kill()
        wait_for(lambda: not is_open(port), "the server outlives the program")
        wait_for(lambda: [file.name for file in folder.iterdir()] == ["other"], "files are left, or lost")
    (folder / "other").unlink()
    folder.rmdir()
    server, again = start(folder.parent, str(port))
    check(again == port, "the port is not free at once")
    server.send_signal(signal.SIGINT)
    check(server.wait(20) == 0, "Ctrl-C")


def test_launcher(launcher, program):
    if not os.access(pathlib.Path(launcher).parent / "build/bin" / program, os.X_OK):
        print("not tested: the launcher, which has not built", program)
        return False
    command = [launcher, "run", "--no-build", program, "--", "--replications=10000", "--report=false"]
    with tempfile.TemporaryDirectory() as work:
        run = subprocess.Popen([*command, "--live"], cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "TMPDIR": work})
        told = re.fullmatch(r"live page: http://127\.0\.0\.1:([0-9]+)/\n", run.stderr.readline())
        check(told, "the launcher does not tell the address")
        port = int(told[1])
        wait_for(lambda: status_of(get(port, "/run.json")) == 200, "no record")
        check(f'"{program}"'.encode() in get(port, "/run.json"), "another record")
        check(b'"records":0' not in get(port, "/progress.json"), "no number of the record")
        taken = subprocess.run([*command, f"--live={port}"], cwd=work, capture_output=True, text=True, check=False)
        check(taken.returncode == 1 and taken.stderr.endswith("Address already in use\n"), "a port in use")
        run.send_signal(signal.SIGTERM)
        check(run.wait(20) == 128 + signal.SIGTERM or run.returncode == -signal.SIGTERM, f"status {run.returncode}")
        wait_for(lambda: not is_open(port), "the server outlives the run")
        check(not list(pathlib.Path(work).glob("odcn-live-*")), "a folder is left")
    return True


signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored here
test_server()
test_process()
whole = test_launcher(*sys.argv[1:])
sys.exit(1 if bad else 0 if whole else 77)
