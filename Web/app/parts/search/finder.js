// A search as the user types: asks the server once the typing pauses, and shows only the answer for the latest text.

import { Problem } from '../../core/net/http.js';

const LONGEST = 100;

/** `onChange()` is called after every change of `text`, `groups` (null before the first answer), `problem` and
 *  `isBusy`. */
export function createFinder(app, onChange) {
  const finder = { text: '', groups: null, problem: null, isBusy: false };
  let timer = null;
  let asked = null;

  const change = values => {
    Object.assign(finder, values);
    onChange();
  };

  async function ask() {
    asked?.abort();
    const question = (asked = new AbortController());
    change({ isBusy: true, problem: null });
    try {
      const { body } =
        await app.http.get(`/v1/search?q=${encodeURIComponent(finder.text)}`, { signal: question.signal });
      if (question === asked) change({ groups: body.groups, isBusy: false });
    } catch (problem) {
      if (question !== asked || problem.name === 'AbortError') return;
      // There were too many searches: the page waits as long as the server says, then searches for the latest text.
      if (problem instanceof Problem && problem.status === 429) {
        timer = setTimeout(ask, 1000 * (problem.retryAfter || 1));
      }
      else change({ problem, isBusy: false });
    }
  }

  return Object.assign(finder, {
    /** Searches for a text, at once or when the typing pauses. */
    look(typed, { now = false } = {}) {
      const text = [...typed.trim()].slice(0, LONGEST).join('');
      if (text === finder.text && !finder.problem) return;
      clearTimeout(timer);
      asked?.abort();
      asked = null;
      change({ text, isBusy: text !== '', ...(text === '' ? { groups: null, problem: null } : {}) });
      // Guests may search less often.
      if (text !== '') timer = setTimeout(ask, now ? 0 : app.store.state.account ? 200 : 500);
    },
    retry: () => ask(),
    /** Loads the next page of a group. */
    async more(group) {
      const { text } = finder;
      try {
        const [next] = (await app.http.get(group.next)).body.groups;
        if (text !== finder.text) return;
        const groups = finder.groups.map(other => (other.kind === group.kind
          ? { ...other, items: [...other.items, ...next?.items ?? []], next: next?.next } : other));
        change({ groups, problem: null });
      } catch (problem) {
        change({ problem });
      }
    },
    close() {
      clearTimeout(timer);
      asked?.abort();
      asked = null;
    },
  });
}
