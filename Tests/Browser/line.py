"""A network line to a server, which a test can cut and restore, and on which it can lose answers."""

import contextlib
import socket
import threading


class Line:
    def __init__(self, port: int):
        self.target = ("127.0.0.1", port)
        self.is_cut = False
        self.loses_answers = False
        self.sockets: set[socket.socket] = set()
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = f"http://localhost:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self):
        """Nothing gets through, and what is on its way is lost."""
        self.is_cut = True
        self._drop()

    def mend(self):
        self.is_cut = self.loses_answers = False

    def lose_answers(self):
        """Requests still reach the server, but their answers are lost."""
        self.loses_answers = True

    def close(self):
        self.is_cut = True
        self.listener.close()
        self._drop()

    def _drop(self):
        with self.lock:
            for each in self.sockets:
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            if self.is_cut:
                near.close()
                continue
            far = socket.create_connection(self.target)
            with self.lock:
                self.sockets |= {near, far}
            for source, target, is_answer in ((near, far, False), (far, near, True)):
                threading.Thread(target=self._pump, args=(source, target, is_answer), daemon=True).start()

    def _pump(self, source, target, is_answer):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if self.is_cut or is_answer and self.loses_answers:
                    break
                target.sendall(data)
        for each in (source, target):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        if is_answer:
            with self.lock:
                self.sockets -= {source, target}
            source.close()
            target.close()
