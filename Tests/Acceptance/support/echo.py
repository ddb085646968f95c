"""The echo server: the web server and its codecs with nothing above them. It answers what it understood."""

import pathlib
import socket
import subprocess
import time

from gradecast import BINARY, PATIENCE, free_port

ECHO = pathlib.Path(BINARY).parent / "EchoServer"


class EchoServer:
    """One running echo server."""

    def __init__(self):
        self.port = free_port()
        self.process = subprocess.Popen([ECHO, str(self.port)], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except ConnectionRefusedError:
                assert time.monotonic() < deadline and self.process.poll() is None, "the echo server did not start"
                time.sleep(0.01)

    def stop(self):
        self.process.kill()
        self.process.wait()

    def exchange(self, sent):
        """Sends bytes and the end of the stream, and reads to the end."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as connection:
            try:
                connection.sendall(sent)
                connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # refused before all of it was sent
            answer = b""
            try:
                while chunk := connection.recv(65536):
                    answer += chunk
            except ConnectionResetError:
                pass
            return answer
