"""Several servers, the nodes, over one database of PostgreSQL, and HAProxy in front of them."""

import pathlib
import re
import shutil
import signal
import subprocess
import time

import gradecast
from client import Api

# The environment names the database.
CONFIG = {"plugins": gradecast.PLUGINS, "store": {"postgresql": {"url": "postgresql://x@x/x", "connections": 6}}}


class Nodes:
    """Servers over one database, with one key file."""

    def __init__(self, folder, cluster, name, count, demo=True, config=CONFIG):
        self.cluster, self.name = cluster, name
        self.url = cluster.database(name)
        self.servers = []
        for number in range(1, count + 1):
            place = pathlib.Path(folder) / f"node{number}"
            place.mkdir()
            server = gradecast.Server(place, config, demo, {"GRADECAST_STORE": self.url})
            if self.servers:
                share_files(self.servers[0].data, server.data)
            self.servers.append(server.start())

    def __iter__(self):
        return iter(self.servers)

    def close(self):
        for server in self.servers:
            if server.process.poll() is None:
                server.process.send_signal(signal.SIGCONT)
                server.kill()


def share_files(from_data, to_data):
    """Gives a node what all must share: the key file, and the passwords of the demonstration."""
    shutil.copytree(f"{from_data}-keys", f"{to_data}-keys")
    to_data.mkdir()
    if (sign_ins := from_data / "demo-sign-ins.json").exists():
        shutil.copy(sign_ins, to_data)


class Balancer:
    """HAProxy with the configuration that ships, on a free port of loopback."""

    def __init__(self, folder, servers, port=None):
        self.port = port or gradecast.free_port()
        text = (gradecast.ROOT / "deploy" / "haproxy.cfg").read_text()
        text = re.sub(r"^    bind .*$", f"    bind 127.0.0.1:{self.port}", text, flags=re.MULTILINE)
        text = text.replace("X-Forwarded-Proto https", "X-Forwarded-Proto http").replace(
            "maxconn 100000", "maxconn 4000"
        )
        text = re.sub(r"^    server .*\n", "", text, flags=re.MULTILINE)
        text += "".join(f"    server node{n} 127.0.0.1:{server.port}\n" for n, server in enumerate(servers, 1))
        path = pathlib.Path(folder) / "haproxy.cfg"
        path.write_text(text)
        self.process = subprocess.Popen(
            ["haproxy", "-db", "-f", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + gradecast.PATIENCE
        while not self.is_ready():
            assert self.process.poll() is None and time.monotonic() < deadline, "HAProxy does not start"
            time.sleep(0.05)

    context = None

    def api(self, token=None, **more):
        """A client of whichever node HAProxy chooses."""
        return Api("127.0.0.1", self.port, token, **more)

    def is_ready(self):
        """Whether a node answers through HAProxy."""
        try:
            return self.api().get("/readyz").status == 200
        except OSError:
            return False

    def close(self):
        self.process.terminate()
        self.process.wait(gradecast.PATIENCE)
