"""What the page's live channel does after an error, without a server: the socket and the timers are the test's."""

import pytest

TELL = """async error => {
    const { LiveChannel } = await import('/app/core/live/live.js');
    const [sent, waits, ended, sockets] = [[], [], [], []];
    class Socket {
        static OPEN = 1;
        readyState = 1;
        constructor() { sockets.push(this); }
        send(text) { sent.push(JSON.parse(text)); }
        close() {}
    }
    const own = { WebSocket: window.WebSocket, setTimeout: window.setTimeout };
    Object.assign(window, { WebSocket: Socket, setTimeout: (act, time) => waits.push({ act, time }) });
    const end = new AbortController();
    try {
        const channel = new LiveChannel({
            url: 'ws://channel.test', client: 'test', ticket: async () => null, documents: { place: () => null },
            onStatus() {}, onEnded: (topic, why) => ended.push([topic, why]), signal: end.signal,
        });
        channel.watch('standing/a');
        channel.watch('standing/b');
        while (sockets.length === 0) await Promise.resolve();
        sockets[0].onopen();
        sockets[0].onmessage({ data: JSON.stringify({ t: 'welcome', ping: 25 }) });
        sent.length = waits.length = 0;
        sockets[0].onmessage({ data: JSON.stringify({ t: 'error', ...error }) });
        // The first wait is the one for a sign of life.
        const [, ...others] = waits;
        for (const { act } of others) act();
        return { waited: others.map(({ time }) => time), asked: sent.map(({ topic }) => topic), ended };
    } finally {
        end.abort();
        Object.assign(window, own);
    }
}"""


@pytest.mark.parametrize(
    ("error", "waited", "asked", "ended"),
    [
        ({"topic": "standing/a", "code": "unavailable", "retry": True, "after": 2000}, [2000], ["standing/a"], []),
        ({"topic": "standing/a", "code": "internal", "retry": True, "after": 0}, [1000], ["standing/a"], []),
        # The message that was dropped may have been any of them.
        ({"code": "rate_limited", "retry": True, "after": 700}, [700], ["standing/a", "standing/b"], []),
        ({"topic": "standing/b", "code": "forbidden", "retry": False}, [], [], [["standing/b", "forbidden"]]),
        ({"code": "bad_request", "retry": False, "after": 0}, [], [], []),
    ],
)  # fmt: skip
def test_an_error_is_followed_as_it_says(anywhere, error, waited, asked, ended):
    assert anywhere.evaluate(TELL, error) == {"waited": waited, "asked": asked, "ended": ended}
