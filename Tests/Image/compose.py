"""The compose file, run with podman-compose: one server over a file, then three over PostgreSQL behind HAProxy.

HAProxy and PostgreSQL are Debian's here, in an image under the names of the official ones: no registry is asked.

Health checks are run by hand, since podman has systemd run them. podman-compose does not wait for them then, and what
comes too early ends and is started again.
"""

import http.client
import json
import os
import pathlib
import shutil
import ssl
import sys
import time

from podman import LIMITS
from trial import PATIENCE

from client import Api, changed
from oracle.build import board_total

DEPLOY = pathlib.Path(__file__).resolve().parents[2] / "deploy"
# Opened by the trial alone: the files that ship name none.
SCHOOL = {
    "slug": "demo", "title": "School", "open": True,
    "programs": [
        {"scheme": "chalkboard", "title": "Grades", "entry": "self"},
    ],
}  # fmt: skip
SERVICES = ("docker.io/library/haproxy:3.2", "docker.io/library/postgres:17")
# What the official images do at their start, as far as the compose file relies on it.
START = r"""#!/bin/sh
set -eu
if [ -z "${POSTGRES_USER:-}" ]; then
    exec haproxy -W -db -f /usr/local/etc/haproxy/haproxy.cfg
fi
data=/var/lib/postgresql/data
PATH=/usr/lib/postgresql/15/bin:$PATH
install -d -o postgres /run/postgresql
as_user() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }
if [ ! -s $data/PG_VERSION ]; then
    install -d -o postgres -m 0700 $data
    install -o postgres -m 0600 "$POSTGRES_PASSWORD_FILE" /tmp/password
    as_user initdb -D $data -U "$POSTGRES_USER" --pwfile=/tmp/password --auth=scram-sha-256 $POSTGRES_INITDB_ARGS
    echo "host all all all scram-sha-256" >> $data/pg_hba.conf
    echo "CREATE DATABASE $POSTGRES_DB;" | as_user postgres --single -D $data postgres
fi
exec setpriv --reuid=postgres --regid=postgres --init-groups postgres -D $data -c listen_addresses='*'
"""


def services(trial):
    """The file of an image with HAProxy and PostgreSQL; it is made once."""
    image = trial.folder / "services.oci.tar"
    if image.exists():
        return image
    system, start, store = trial.folder / "services.tar", trial.folder / "start", trial.folder / "services"
    start.write_text(START)
    start.chmod(0o755)
    mirror = [os.environ["MIRROR"]] if "MIRROR" in os.environ else []
    trial.run(
        "mmdebstrap", "--quiet", "--variant=minbase", "--include=haproxy,postgresql-15", "bookworm", system, *mirror
    )
    buildah = ["buildah", f"--root={store}", f"--runroot={store}/run"]
    container = trial.run(*buildah, "from", "scratch").strip()
    trial.run(*buildah, "add", "--quiet", container, system, "/")
    trial.run(*buildah, "add", "--quiet", container, start, "/start")
    trial.run(*buildah, "config", "--entrypoint", '["/start"]', "--cmd", "", container)
    trial.run(*buildah, "commit", "--quiet", container, "localhost/services")
    trial.run(*buildah, "push", "--quiet", "localhost/services", f"oci-archive:{image}.new:localhost/services")
    (trial.folder / "services.oci.tar.new").rename(image)
    system.unlink()
    shutil.rmtree(store)
    return image


class Compose:
    """A copy of the compose file with its secrets, and what its commands do."""

    def __init__(self, trial, podman, folder, image):
        self.trial, self.podman, self.folder = trial, podman, folder
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(DEPLOY / "compose", folder / "compose")
        shutil.copy(DEPLOY / "compose.yaml", folder)
        for path in (folder / "compose").glob("*.json"):
            path.write_text(json.dumps(json.loads(path.read_text()) | {"institutions": [SCHOOL]}))
        # As docs/install.md has it.
        (folder / "secrets").mkdir(mode=0o700)
        make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90 -subj /CN=localhost"
        make += " -addext subjectAltName=DNS:localhost -keyout secrets/grades.pem.key -out secrets/grades.pem"
        trial.run(*make.split(), cwd=folder)
        (folder / "secrets/pepper").write_bytes(os.urandom(32))
        (folder / "secrets/database-password").write_text(os.urandom(24).hex())
        for each in (folder / "secrets").iterdir():
            each.chmod(0o444)
        self.context = ssl.create_default_context(cafile=folder / "secrets/grades.pem")
        self.environment = os.environ | {"GRADECAST_IMAGE": image}
        # podman-compose has a place for the options of `run`, but none that `create` takes as well.
        script = folder / "podman"
        words = " ".join(podman.command)
        script.write_text(
            f'#!/bin/sh\ncase "$1" in\nrun|create) verb=$1; shift; exec {words} "$verb" {" ".join(LIMITS)} "$@" ;;\n'
            f'*) exec {words} "$@" ;;\nesac\n'
        )
        script.chmod(0o755)

    def __call__(self, profile, *words):
        # Beside this Python, whose packages are pinned.
        program = os.path.join(os.path.dirname(sys.executable), "podman-compose")
        options = ["--podman-path", self.folder / "podman", "--in-pod=false", "--profile", profile]
        return self.trial.run(program, *options, *words, cwd=self.folder, env=self.environment)

    def api(self):
        return Api("localhost", 443, context=self.context)

    def page(self):
        """The front page, once it is there."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                page = self.api().get("/")
                if page.status == 200:
                    return page
            except (OSError, http.client.HTTPException) as error:
                page = error
            if time.monotonic() > end:
                self.trial.note("the page comes", False, f"{page}\n{self.podman('ps', '--all')}")

    def container(self, service):
        """The name of a service's container."""
        label = f"label=com.docker.compose.service={service}"
        return self.podman("ps", "--all", f"--filter={label}", "--format={{.Names}}").strip()


def compose(trial, podman, image, services):
    """Tries both profiles."""
    podman("load", "--quiet", "--input", services)
    for name in SERVICES:
        podman("tag", "localhost/services", name)
    trial_of = Compose(trial, podman, trial.folder / "compose", image)
    single(trial, podman, trial_of)
    cluster(trial, podman, trial_of)


def kept(compose):
    """A record with a grade, and its standing."""
    student = compose.api().sign_up()
    record = student.new_record("chalkboard")
    assert record.add(board_total("Chemistry", 3, 80)).status == 201
    return record, changed(record.standing()).json


def single(trial, podman, compose):
    compose("single", "up", "--detach")
    page = compose.page()
    trial.note("one server of the compose file serves the page over TLS", b"/app/built/" in page.body, page)
    server = compose.container("server")
    podman("healthcheck", "run", server)
    record, before = kept(compose)
    compose("single", "down")
    compose("single", "up", "--detach")
    compose.page()
    trial.note("it has its record again after down and up", changed(record.standing()).json == before)
    compose("single", "down")


def cluster(trial, podman, compose):
    compose("cluster", "up", "--detach")
    page = compose.page()
    trial.note("three nodes behind HAProxy serve the page", b"/app/built/" in page.body, page)
    nodes = [compose.container(f"node{number}") for number in (1, 2, 3)]
    for node in nodes:
        podman.until_ready(node)
        podman("healthcheck", "run", node)
    record, before = kept(compose)
    podman("kill", "--signal=KILL", nodes[0])
    for node in nodes[1:]:
        podman.until_ready(node)
    trial.note("a node less loses no grade", changed(record.standing()).json == before)
    compose("cluster", "down")
    compose("cluster", "up", "--detach")
    compose.page()
    trial.note("they have the record again after down and up", changed(record.standing()).json == before)
    compose("cluster", "down")
