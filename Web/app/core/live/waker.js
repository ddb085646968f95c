// Retries waiting work: after a growing random delay, and at once if conditions seem to have improved.

import { hear } from '../net/surroundings.js';

/** Milliseconds until the `attempt`th try: doubling from half a second to thirty, at least `least`, with jitter. */
const retryDelay = (attempt, least, chance) =>
  Math.max(least, (0.5 + chance / 2) * Math.min(30000, 500 * 2 ** Math.min(attempt, 6)));

/** `act()` tries; it is called again as long as `isNeeded()` returns true, until `signal` aborts. */
export function createWaker({ isNeeded, act, signal }) {
  let attempt = 0;
  let least = 0;
  let timer = null;
  let isActing = false;
  let isUrged = false;

  async function run() {
    timer = null;
    least = 0;
    if (isActing) {
      isUrged = true;
      return;
    }
    if (!isNeeded()) {
      attempt = 0;
      return;
    }
    isActing = true;
    attempt += 1;
    try {
      await act();
    } catch {
      // The next attempt is scheduled below.
    }
    isActing = false;
    if (isUrged) urge();
    else rest();
  }

  /** Schedules another attempt, at least `wait` milliseconds from now. */
  function rest(wait = 0) {
    least = Math.max(least, wait);
    if (!isNeeded()) attempt = least = 0;
    else if (!isActing && (timer === null || wait > 0)) {
      clearTimeout(timer);
      timer = setTimeout(run, retryDelay(attempt, least, Math.random()));
    }
  }

  /** Tries now: the network is back, the page is visible, or the user asked for it. */
  function urge() {
    clearTimeout(timer);
    isUrged = false;
    attempt = 0;
    run();
  }

  hear('online', urge, signal);
  hear('pageshow', event => event.persisted && urge(), signal);
  hear('visible', urge, signal);
  signal?.addEventListener('abort', () => clearTimeout(timer));
  return { rest, urge };
}
