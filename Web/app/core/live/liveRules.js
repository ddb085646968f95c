// The decisions of the live channel that do not involve the socket.

const bugs = new Set([1003, 1007, 1009]);

/** Whether a close code means that connecting again is useless until something changes. */
export const isFinal = code => bugs.has(code) || (code >= 4500 && code <= 4999);

/** Milliseconds to wait before the next attempt: the range doubles from half a second to thirty, with full jitter, so
 *  that a thousand clients do not come back at the same instant. After 1013 (the server is overloaded) the wait is at
 *  least 5 s. */
export function reconnectDelay(attempt, code, chance) {
  const least = code === 1013 ? 5000 : 100;
  const most = Math.min(30000, 500 * 2 ** Math.min(attempt, 6));
  return least + chance * most;
}

/** Milliseconds of silence after which a connection counts as dead: a late ping and the time to answer it. */
export const silenceLimit = ping => (ping * 1.2 + 10) * 1000;

/** What the user is told: live, as of a time, offline, or still connecting. */
export function honestState({ phase, asOf, stalled, online }) {
  if (phase === 'idle') return { kind: 'idle' };
  if (phase === 'open' && !stalled) return { kind: 'live' };
  if (!online) return { kind: 'offline', asOf };
  if (asOf) return { kind: 'asOf', asOf };
  return { kind: phase === 'stopped' ? 'offline' : 'connecting', asOf };
}
