"""A small HTTP service on loopback that plays somebody else's server."""

import http.server
import threading


class Service:
    """Answers each request with what `answer(method, path, body, headers)` returns: a status, bytes, and if wanted the
    address to which it redirects."""

    def __init__(self, answer):
        outer = self
        self.asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def respond(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                outer.asked.append(self.path)
                status, content, *elsewhere = answer(self.command, self.path, body, self.headers)
                self.send_response(status)
                for address in elsewhere:
                    self.send_header("Location", address)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                try:
                    self.wfile.write(content)
                except OSError:
                    pass  # the server has heard enough

            do_GET = do_POST = respond  # noqa: N815

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
