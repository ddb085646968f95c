"""Builds what is measured and what measures, and finds it again."""

import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "Benchmarks"
BUILD = ROOT / "build" / "benchmarks"
RELEASE = ROOT / ".build" / "release"
CFLAGS = ["-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE"]


class Missing(Exception):
    """A peer cannot be built on this machine; the others are measured without it."""


def run(*command, **more):
    """Runs a command to its end; its output is shown if it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **more)
    if done.returncode:
        raise Missing(f"{command[0]} failed:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done.stdout


def is_newer(target, *sources):
    """Whether a target is there and newer than all that it is made from."""
    return target.exists() and all(target.stat().st_mtime > source.stat().st_mtime for source in sources)


def swift(product):
    """The release build of a product of the package."""
    run("swift", "build", "-c", "release", "--product", product, cwd=ROOT)
    return RELEASE / product


def web():
    """The folder of the web client as it ships."""
    debian("esbuild")
    run(ROOT / "deploy" / "bundle-web", ROOT / "Web", BUILD / "web")
    return BUILD / "web"


def c(name, *sources, libraries=(), headers=()):
    """A C program from sources in this folder."""
    BUILD.mkdir(parents=True, exist_ok=True)
    target, files = BUILD / name, [HERE / source for source in sources]
    if not is_newer(target, *files):
        folders = [word for folder in (HERE / "load", *headers) for word in ("-I", folder)]
        run("cc", *CFLAGS, *folders, "-o", target, *files, *[f"-l{library}" for library in libraries])
    return target


def debian(*packages):
    """Installs Debian packages, if we may and they are not there."""
    missing = [
        package for package in packages
        if "installed" not in subprocess.run(
            ["dpkg-query", "-W", "-f", "${db:Status-Status}", package], capture_output=True, text=True
        ).stdout.split()
    ]
    if not missing:
        return
    if os.geteuid() != 0:
        raise Missing("as root: apt-get install --no-install-recommends " + " ".join(missing))
    # What a package would start by itself stays off: it is started here, on a port of ours.
    run(
        "apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing,
        env=os.environ | {"DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"},
    )


def go(name, *tags):
    """A Go peer, from Debian's Go and its packages."""
    debian(
        "golang-go", "golang-github-gorilla-websocket-dev", "golang-github-mattn-go-sqlite3-dev", "libsqlite3-dev",
        *(["golang-github-jackc-pgx-v4-dev"] if "postgres" in tags else []),
    )
    folder, target = HERE / "peers" / f"go-{name}", BUILD / "-".join(["peer-go", name, *tags])
    BUILD.mkdir(parents=True, exist_ok=True)
    if not is_newer(target, *folder.glob("*.go")):
        # Debian's packages lie in a GOPATH; linked with Debian's libsqlite3, the same library as ours.
        environment = os.environ | {
            "GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOFLAGS": "", "GOCACHE": str(BUILD / "go-cache"),
        }
        run("go", "build", "-tags", ",".join(["libsqlite3", *tags]), "-o", target, ".", cwd=folder, env=environment)
    return target


def python():
    """The interpreter of the Python peer, with FastAPI in an environment of its own."""
    debian("python3-venv")
    environment, wanted = BUILD / "python", HERE / "peers" / "python" / "requirements.txt"
    if not is_newer(environment / ".ready", wanted):
        shutil.rmtree(environment, ignore_errors=True)
        run("python3", "-m", "venv", environment)
        run(environment / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "-r", wanted)
        (environment / ".ready").touch()
    return environment / "bin" / "python"
