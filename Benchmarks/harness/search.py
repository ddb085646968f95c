"""Searches among very many people and records."""

import http.client
import itertools
import sqlite3
import time
from urllib.parse import quote

from harness import build, crowd, people, servers
from harness.table import figure

PEOPLE = 100_000
FIRST = ("Ada", "Alan", "Anna", "Annika", "Barbara", "Claude", "Donald", "Edsger", "Emmy", "Grace", "Ken", "Leslie",
         "Margaret", "Niklaus", "Radia", "Sophie", "Tim", "Vint", "Wei", "Xavier")
LAST = ("Allen", "Berners", "Dijkstra", "Hamilton", "Hopper", "Kernighan", "Knuth", "Lamport", "Liskov", "Lovelace",
        "Noether", "Perlman", "Ritchie", "Shannon", "Thompson", "Turing", "Wilson", "Wirth", "Zhang", "Zuse")
# From the commonest beginning to one person, with words in either order, and what is not there.
TEXTS = ("a", "an", "anna", "anna zhang", "z a", "wei 0042", "p31337", "tho ken", "margaret hamilton 9", "zuse nothing")


def names():
    """A name and a login for each person, all different."""
    pairs = itertools.cycle(itertools.product(FIRST, LAST))
    numbered = enumerate(itertools.islice(pairs, PEOPLE))
    return [(f"{first} {last} {number:05}", f"p{number:05}") for number, (first, last) in numbered]


def fill(server, record):
    """Puts the people, a record of each and their rows of the index into the file of a server that has stopped."""
    crowd.multiply(server, record, PEOPLE)
    database = sqlite3.connect(server.folder / "data" / "gradecast.db", isolation_level=None)
    database.execute("PRAGMA synchronous=OFF")
    database.execute("BEGIN")
    place = database.execute("SELECT program, institution FROM records WHERE id = ?", (record,))
    program, institution = place.fetchone()
    columns = "login, display_name, description, gender, hue, locale, disabled, search, discoverable"
    database.executemany(
        f"INSERT INTO accounts (id, created_at, {columns}) VALUES (?, 1, ?, ?, '', 'unspecified', 0, '', 0, '', 1)",
        ((login, login, name) for name, login in names()),
    )
    database.executemany(
        "UPDATE records SET student = ? WHERE id = printf('ffffffff-ffff-7fff-8000-%012x', ?)",
        ((login, number + 1) for number, (_, login) in enumerate(names())),
    )
    found, staff = ("found", "person"), (f"institution/{institution}/staff", f"program/{program}/staff")
    database.executemany(
        "INSERT INTO search_terms (audience, kind, term, title, id, words) VALUES (?, ?, ?, ?, ?, ?)",
        (
            (audience, kind, term, name.lower(), login, "\1" + "\1".join(sorted(terms)) + "\1")
            for name, login in names()
            for audience, kind, terms in (
                (*found, name.lower().split()),
                *((audience, "student", [*name.lower().split(), login]) for audience in staff),
            )
            for term in terms
        ),
    )
    database.execute("COMMIT")
    database.close()


def latencies(server, token, seconds):
    """How long single searches take, in seconds, asked one after the other."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    headers, times = {"Authorization": f"Bearer {token}"}, {text: [] for text in TEXTS}
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for text in TEXTS:
            began = time.monotonic()
            connection.request("GET", f"/v1/search?q={quote(text)}", headers=headers)
            response = connection.getresponse()
            response.read()
            times[text].append(time.monotonic() - began)
            if response.status != 200:
                raise RuntimeError(f"a search ended with {response.status}")
    return times


def search_part(rounds, seconds):
    """Searches of a registrar among 100,000 people and their records."""
    with servers.gradecast(build.swift("gradecast")) as server:
        crowd.wait_until_ready(server)
        api = people.Api(server)
        record = api.call("POST", "/v1/records", {"program": api.program("chalkboard")}, api.sign_up(0))["record"]["id"]
        server.stop()
        fill(server, record)
        server.start()
        registrar = crowd.Registrar(server)
        times = [latencies(server, registrar.token, seconds) for _ in range(rounds)]
    for text in TEXTS:
        of_text = sorted(value for each in times for value in each[text])
        print(f"  {text:22} p50 {of_text[len(of_text) // 2] * 1e3:.2f} ms  most {of_text[-1] * 1e3:.2f} ms", flush=True)
    everything = sorted(value for each in times for of_text in each.values() for value in of_text)
    p50, p99 = (everything[int(len(everything) * part)] * 1e3 for part in (0.5, 0.99))
    return [
        figure(f"search of {PEOPLE:,} people and records by a registrar, asked → answer, p50", p50, "ms"),
        figure("… p99", p99, "ms", 20),
    ]
