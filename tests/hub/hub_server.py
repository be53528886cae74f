#!/usr/bin/env python3
"""A model hub on 127.0.0.1 for tests: hub_server.py ROOT PORT_FILE LOG_FILE. ROOT holds OWNER/NAME/FILE; the port is written to PORT_FILE.

It behaves well, but for what the address asks for: /cut/… closes the first answer to a large file at half, /slow/… sends a large file in small
pieces, /elsewhere/… redirects large files to a second host (another port), /private/… wants the token "secret". Every request is a line
of JSON in LOG_FILE. Ends when its input ends. Standard library only.
"""
import hashlib
import http.server
import json
import sys
import threading
import time
import urllib.parse
from pathlib import Path

COMMIT = "0123456789" * 4
REVISIONS = {"main": COMMIT, "v1": "9876543210" * 4, "refs/pr/1": "abcdef0123" * 4}


class Hub(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    root, log, other_port, lock, cut = None, None, 0, threading.Lock(), set()

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        port = self.server.server_address[1]
        seen = {"path": self.path, "range": self.headers.get("Range"), "if_range": self.headers.get("If-Range"),
                "token": self.headers.get("Authorization"), "is_other": port == self.other_port}
        with self.lock, open(self.log, "a", encoding="utf-8") as log:
            log.write(json.dumps(seen) + "\n")
        try:
            self.route()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def route(self):
        mode, *parts = [urllib.parse.unquote(part) for part in self.path.split("/") if part]
        if mode == "private" and self.headers.get("Authorization") != "Bearer secret":
            return self.answer(401, b"{}")
        if parts[:2] == ["api", "models"]:
            return self.answer_api(parts[2:])
        at = parts.index("resolve")
        return self.answer_file(mode, Path(self.root, *parts[:at]) / parts[at + 2])

    def answer(self, status, body, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer_api(self, parts):
        kind = "revision" if "revision" in parts else "tree"
        folder = Path(self.root, *parts[: parts.index(kind)])
        if not folder.is_dir():
            return self.answer(404, b"{}")
        if kind == "revision":
            commit = REVISIONS.get(parts[parts.index(kind) + 1])
            return self.answer(200, json.dumps({"sha": commit}).encode()) if commit else self.answer(404, b"{}")
        return self.answer(200, json.dumps([entry(path) for path in sorted(folder.iterdir())]).encode())

    def answer_file(self, mode, path):
        if not path.is_file():
            return self.answer(404, b"{}")
        body, is_large = path.read_bytes(), path.suffix == ".safetensors"
        etag = '"%s"' % digest(body, is_large)
        is_other = self.server.server_address[1] == self.other_port
        if mode == "elsewhere" and is_large and not is_other:
            place = "http://127.0.0.1:%d%s" % (self.other_port, self.path)
            return self.answer(302, b"Found", Location=place, X_Linked_Etag=etag)
        first, wanted = 0, self.headers.get("Range")
        if wanted and self.headers.get("If-Range", etag) == etag:
            first = int(wanted.removeprefix("bytes=").split("-")[0])
        self.send_response(206 if first else 200)
        if first:
            self.send_header("Content-Range", "bytes %d-%d/%d" % (first, len(body) - 1, len(body)))
        self.send_header("ETag", etag)
        self.send_header("Content-Length", str(len(body) - first))
        self.end_headers()
        if mode == "cut" and is_large and path not in self.cut:
            self.cut.add(path)
            self.wfile.write(body[: len(body) // 2])
            self.close_connection = True
        elif mode == "slow" and is_large:
            for at in range(first, len(body), 1024):
                self.wfile.write(body[at : at + 1024])
                self.wfile.flush()
                time.sleep(0.02)
        else:
            self.wfile.write(body[first:])


def digest(body, is_large):
    return hashlib.sha256(body).hexdigest() if is_large else hashlib.sha1(b"blob %d\0" % len(body) + body).hexdigest()


def entry(path):
    body, is_large = path.read_bytes(), path.suffix == ".safetensors"
    result = {"type": "file", "path": path.name, "size": len(body), "oid": digest(body, False)}
    if is_large:
        result["lfs"] = {"oid": digest(body, True), "size": len(body)}
    return result


def main():
    Hub.root, port_file, Hub.log = sys.argv[1:]
    server, other = (http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub) for _ in range(2))
    server.daemon_threads = other.daemon_threads = True
    Hub.other_port = other.server_address[1]
    for each in (server, other):
        threading.Thread(target=each.serve_forever, daemon=True).start()
    Path(port_file + ".new").write_text(str(server.server_address[1]), encoding="utf-8")
    Path(port_file + ".new").rename(port_file)
    sys.stdin.read()


main()
