"""The main job written plainly in Python: FastAPI, pydantic, sqlite3. It speaks the part of the API that the load
client uses. uvicorn runs it with uvloop and httptools; the blocking work is in a worker thread, as FastAPI does it."""

import asyncio
import hashlib
import json
import secrets
import sqlite3
import threading
import time
from contextlib import asynccontextmanager
from decimal import Decimal
from typing import Annotated

from fastapi import Depends, FastAPI, Header, HTTPException, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from standing import judge, sample_year

PROGRAM = "iut-program"
SCHEMA = """
CREATE TABLE records (
    id TEXT PRIMARY KEY, student TEXT NOT NULL, version INTEGER NOT NULL, chain BLOB NOT NULL, tree TEXT NOT NULL,
    standing TEXT NOT NULL
) STRICT;
CREATE TABLE changes (
    seq INTEGER PRIMARY KEY, record TEXT NOT NULL, version INTEGER NOT NULL, at INTEGER NOT NULL,
    account TEXT NOT NULL, source TEXT NOT NULL, entry TEXT NOT NULL, before TEXT, after TEXT, digest BLOB NOT NULL,
    chain BLOB NOT NULL
) STRICT;
"""

sessions: dict[str, str] = {}
topics: dict[str, set[asyncio.Queue]] = {}
writing = threading.Lock()


def connect():
    """The database, as durable as the others'."""
    connection = sqlite3.connect("grades.db", isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    return connection


database = connect()


@asynccontextmanager
async def lifespan(_):
    database.executescript(SCHEMA)
    yield
    database.close()


app = FastAPI(lifespan=lifespan, openapi_url=None)


def caller(authorization: Annotated[str, Header()] = ""):
    """The account that a bearer token stands for."""
    account = sessions.get(authorization.removeprefix("Bearer "))
    if account is None:
        raise HTTPException(401)
    return account


Account = Annotated[str, Depends(caller)]


class Grade(BaseModel):
    """What may be changed."""

    model_config = ConfigDict(extra="forbid")
    grade: Annotated[Decimal, Field(ge=0, le=20, decimal_places=2)] | None


class Change(BaseModel):
    """The body of a change."""

    model_config = ConfigDict(extra="forbid")
    fields: Grade


def text(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def answer(value, status=200):
    return Response(value if isinstance(value, str) else text(value), status, media_type="application/json")


@app.get("/v1/institutions/demo/programs")
async def programs():
    return answer({"items": [{"id": PROGRAM, "scheme": "iut"}]})


@app.post("/v1/accounts")
async def sign_up():
    token = secrets.token_urlsafe(24)
    sessions[token] = secrets.token_hex(16)
    return answer({"session": {"token": token}}, 201)


@app.post("/v1/records")
def create(account: Account):
    record, tree = secrets.token_hex(16), sample_year()
    standing = judge(record, tree)
    with writing:
        database.execute(
            "INSERT INTO records VALUES (?, ?, 1, ?, ?, ?)", (record, account, bytes(32), text(tree), text(standing))
        )
    return answer({"record": {"id": record, "entries": tree}, "version": 1, "standing": standing}, 201)


def amend(record, entry, account, source, grade):
    """Changes one grade in one transaction; the new version, the changed entry and the standing's text."""
    with writing:
        database.execute("BEGIN IMMEDIATE")
        try:
            done = amend_within(record, entry, account, source, grade)
            database.execute("COMMIT")
            return done
        except BaseException:
            database.execute("ROLLBACK")
            raise


def amend_within(record, entry, account, source, grade):
    row = database.execute("SELECT student, version, chain, tree FROM records WHERE id = ?", (record,)).fetchone()
    if row is None or row[0] != account:
        raise HTTPException(404)
    version, chain, tree = row[1] + 1, row[2], json.loads(row[3])
    changed = next((s for unit in tree for s in unit["children"] if s["id"] == entry), None)
    if changed is None:
        raise HTTPException(404)
    before = text(changed)
    changed["grade"] = None if grade is None else float(grade)
    after, standing = text(changed), text(judge(record, tree))
    digest = hashlib.sha256((before + after).encode()).digest()
    chain = hashlib.sha256(chain + digest).digest()
    database.execute(
        "INSERT INTO changes (record, version, at, account, source, entry, before, after, digest, chain)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (record, version, time.time_ns() // 1000, account, source, entry, before, after, digest, chain),
    )
    database.execute(
        "UPDATE records SET version = ?, chain = ?, tree = ?, standing = ? WHERE id = ?",
        (version, chain, text(tree), standing, record),
    )
    return version, after, standing


@app.patch("/v1/records/{record}/entries/{entry}")
async def patch(record: str, entry: str, change: Change, account: Account, request: Request):
    version, changed, standing = await asyncio.to_thread(
        amend, record, entry, account, request.client.host, change.fields.grade
    )
    publish(f"standing/{record}", version, standing)
    return answer(f'{{"entry":{changed},"version":{version},"standing":{standing}}}')


def frame(topic, version, standing):
    return f'{{"t":"state","topic":"{topic}","e":"e","v":{version},"doc":{standing}}}'


def publish(topic, version, standing):
    queues = topics.get(topic)
    if queues:
        message = (version, frame(topic, version, standing))
        for queue in queues:
            queue.put_nowait(message)


@app.websocket("/v1/live")
async def live(socket: WebSocket):
    await socket.accept(subprotocol="gradecast.live.v1")
    queue = asyncio.Queue()
    topic = None
    try:
        hello, wish = await socket.receive_json(), await socket.receive_json()
        topic = wish["topic"]
        topics.setdefault(topic, set()).add(queue)
        row = database.execute(
            "SELECT version, standing FROM records WHERE id = ? AND student = ?",
            (topic.removeprefix("standing/"), sessions.get(hello["token"])),
        ).fetchone()
        if row is None:
            return await socket.send_json({"t": "error", "topic": topic, "code": "forbidden"})
        version = row[0]
        await socket.send_text(frame(topic, *row))
        while True:
            newest, message = await queue.get()
            if newest > version:
                version = newest
                await socket.send_text(message)
    except WebSocketDisconnect:
        pass
    finally:
        topics.get(topic, set()).discard(queue)
