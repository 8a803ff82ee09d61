#!/usr/bin/env python3
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Serves the report so far of a program with --live to browsers of this machine.

live.py FOLDER [PORT [PROCESS]]

FOLDER is the one that the program named; PORT is 0 (the default) for a free one. The server ends when the folder is gone. With PROCESS
it goes on in the background, and when that process has ended, it removes the folder and ends.
"""

import contextlib
import http.server
import os
import re
import select
import signal
import socket
import socketserver
import sys
import threading
import time

FILES = {"/progress.json": b'{"records":0}', "/run.json": b""}  # with their content before the program has written them
EMPTY = '{"name":"odcn","facts":[],"tables":[],"charts":[],"files":[]}'
HOST = re.compile(r"(127\.0\.0\.1|localhost)(:[0-9]+)?")  # the port is another one behind a tunnel of ssh
CONNECTIONS = 32  # at once; more are closed
SECONDS = 10  # for a connection, from its first byte to the last one of the answer


class Page(http.server.BaseHTTPRequestHandler):
    server_version = "odcn"
    sys_version = ""
    timeout = SECONDS  # between two bytes; the server ends all that lasts longer

    def parse_request(self):
        if not super().parse_request():
            return False
        hosts = self.headers.get_all("Host", [])
        if len(hosts) != 1 or not HOST.fullmatch(hosts[0]):
            # A web page that reads the data through a name of its own (DNS rebinding).
            self.send_error(403)
        elif self.command not in ("GET", "HEAD"):
            self.answer(405, b"", "text/plain", {"Allow": "GET, HEAD"})
        else:
            return True
        return False

    def do_GET(self):
        content = FILES.get(self.path, b"")
        if self.path == "/":
            self.answer(200, self.server.page, "text/html; charset=utf-8")
            return
        with contextlib.suppress(OSError):
            if self.path in FILES:
                with open(self.server.folder + self.path, "rb") as file:
                    content = file.read()
        if content:
            self.answer(200, content, "application/json")
        else:
            self.send_error(404)

    do_HEAD = do_GET

    def answer(self, status, content, kind, headers=None):
        self.send_response(status)
        for name, value in {**(headers or {}), "Content-Type": kind, "Content-Length": len(content)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def end_headers(self):
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        super().end_headers()

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = CONNECTIONS

    def __init__(self, folder, port):
        super().__init__(("127.0.0.1", port), Page)
        self.folder = folder
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "report.html"), encoding="utf-8") as file:
            page = file.read()
        for mark, text in (("/*CONNECT*/", " connect-src 'self';"), ("/*LIVE*/", " data-live"), ("/*DATA*/", EMPTY)):
            page = page.replace(mark, text)
        self.page = page.encode()
        self.process = None
        self.deadlines = {}  # by connection

    def process_request(self, request, client_address):
        if threading.active_count() > CONNECTIONS:
            self.shutdown_request(request)
        else:
            self.deadlines[request] = time.monotonic() + SECONDS
            super().process_request(request, client_address)

    def shutdown_request(self, request):
        self.deadlines.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, *_):
        pass  # a viewer that is gone

    def service_actions(self):
        for request, deadline in list(self.deadlines.items()):
            if time.monotonic() > deadline:
                # Its thread reads the end, however slowly bytes came before.
                with contextlib.suppress(OSError):
                    request.shutdown(socket.SHUT_RDWR)
        ended = self.process is not None and select.select([self.process], [], [], 0)[0]
        if ended or not os.path.isdir(self.folder):
            for name in FILES:
                with contextlib.suppress(OSError):
                    os.remove(self.folder + name)
            with contextlib.suppress(OSError):
                os.rmdir(self.folder)
            os._exit(0)


def main():
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    folder = sys.argv[1]
    port = sys.argv[2] if len(sys.argv) > 2 else "0"
    try:
        server = Server(folder, int(port))
    except (OSError, OverflowError, ValueError) as error:
        sys.exit(f"error: --live: found '{port}', expected a port that can be opened: {getattr(error, 'strerror', None) or error}")
    print(f"live page: http://127.0.0.1:{server.server_address[1]}/", file=sys.stderr, flush=True)
    if len(sys.argv) > 3:
        server.process = os.pidfd_open(int(sys.argv[3]))
        if os.fork():
            os._exit(0)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    server.serve_forever(poll_interval=0.2)


try:
    main()
except KeyboardInterrupt:
    pass
