"""Answers to the page's requests that do not arrive completely, without a server."""

import pytest

ASKS = """async body => {
    const { createHTTP, Problem, Unreachable } = await import('/app/core/net/http.js');
    const encoder = new TextEncoder();
    const bodies = {
        whole: '{"courses":[]}',
        cut: new ReadableStream({ pull(stream) { stream.enqueue(encoder.encode('{"cour')); stream.error(new TypeError('network error')); } }),
        short: '{"cour',
        page: '<!doctype html><p>Sign in to this network',
    };
    const controller = new AbortController();
    const fetched = fetch;
    window.fetch = async () => {
        if (body === 'lost') throw new TypeError('Failed to fetch');
        if (body === 'given up') throw new DOMException('Given up.', 'AbortError');
        return new Response(bodies[body], { headers: { 'content-type': 'application/json', etag: '"k3.8"' } });
    };
    const http = createHTTP({ account: () => 'a', onSignedOut() {}, onUnfinished() {}, prove: async () => false });
    try {
        const answer = await http.get('/v1/records', { signal: controller.signal });
        return [answer.body, answer.place];
    } catch (error) {
        return error instanceof Unreachable ? 'unreachable' : error.name;
    } finally {
        window.fetch = fetched;
    }
}"""


@pytest.mark.parametrize(
    "body,told",
    [
        ("whole", [{"courses": []}, {"e": "k3", "v": 8}]),
        ("lost", "unreachable"),
        ("cut", "unreachable"),
        ("short", "unreachable"),
        ("page", "unreachable"),
        ("given up", "AbortError"),
    ],
)
def test_an_answer_that_cannot_be_read_has_not_arrived(anywhere, body, told):
    assert anywhere.evaluate(ASKS, body) == told
