"""The main job written plainly in Python: FastAPI, pydantic, and sqlite3 or asyncpg. It speaks the part of the API that
the load client uses. uvicorn runs it with uvloop and httptools. GRADES_URL names a database of PostgreSQL; without it the
grades are in a file."""

import asyncio
import os
import secrets
from contextlib import asynccontextmanager
from decimal import Decimal
from typing import Annotated

from fastapi import Depends, FastAPI, Header, HTTPException, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from standing import judge, sample_year, text

if "GRADES_URL" in os.environ:
    import postgres_store as store
else:
    import sqlite_store as store

PROGRAM = "iut-program"
sessions: dict[str, str] = {}
topics: dict[str, set[asyncio.Queue]] = {}


@asynccontextmanager
async def lifespan(_):
    await store.open()
    yield
    await store.close()


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
async def create(account: Account):
    record, tree = secrets.token_hex(16), sample_year()
    standing = judge(record, tree)
    await store.insert(record, account, text(tree), text(standing))
    return answer({"record": {"id": record, "entries": tree}, "version": 1, "standing": standing}, 201)


@app.patch("/v1/records/{record}/entries/{entry}")
async def patch(record: str, entry: str, change: Change, account: Account, request: Request):
    try:
        version, changed, standing = await store.amend(record, entry, account, request.client.host, change.fields.grade)
    except LookupError as absence:
        raise HTTPException(404) from absence
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
        row = await store.standing(topic.removeprefix("standing/"), sessions.get(hello["token"]))
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
