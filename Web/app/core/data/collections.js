// Collections by topic: many rows under one version, such as the grid of a class. They are fed by `rows` messages of
// the live channel and equally by answers to GET requests.
//
// The rows that are shown are replaced as a whole: all parts of a sequence together, never rows of two structures or
// two epochs, and of two versions of a row the newer one. While there are rows of two structures, the previous state
// stays visible; the server sends the rest without being asked.

/** `onChange(topic, shown)` is called after each change: `{place: {e, v}, structure, rows, changed}`, where `rows` maps
 *  identifiers to rows in the server's order and `changed` is the set of identifiers that are new, changed or gone;
 *  `null` once the topic is dropped. */
export function createCollections(onChange = () => {}) {
  const held = new Map();
  const followers = new Map();

  function tell(topic, shown) {
    for (const follower of followers.get(topic) ?? []) follower(shown);
    onChange(topic, shown);
  }

  // Handles the last part of a sequence: the rows that were gathered replace the ones that are held.
  function complete(topic, state, message) {
    const { rows, isWhole } = state.sequence;
    const known = isWhole ? new Map() : state.rows;
    for (const [id, row] of rows) {
      const before = state.rows.get(id);
      known.set(id, before && before.v > row.v ? before : row);
      if (before?.v !== known.get(id).v) state.changed.add(id);
    }
    if (isWhole) for (const id of state.rows.keys()) if (!known.has(id)) state.changed.add(id);
    for (const [id, row] of known) if (row.gone) known.delete(id);
    Object.assign(state, { rows: known, place: { e: message.e, v: message.v }, sequence: null });
    const structures = new Set([...known.values()].map(row => row.s));
    if (structures.size > 1) return false;
    const [structure = message.s] = structures;
    state.shown = { place: state.place, structure, rows: new Map(known), changed: state.changed };
    state.changed = new Set();
    tell(topic, state.shown);
    return true;
  }

  return {
    /** What is shown of a topic, or null. */
    get: topic => held.get(topic)?.shown ?? null,

    /** The place to tell the server: the version of the last complete sequence. */
    place: topic => held.get(topic)?.place ?? null,

    /** Takes in one part, `{topic, e, from, v, s, rows, more}`; returns whether what is shown has changed. A part that
     *  does not follow what is held is ignored. */
    accept(message) {
      const { topic, e, from, v, rows, more } = message;
      if (!rows) return false;
      let state = held.get(topic);
      if (!state || state.e !== e) {
        if (from !== 0) return false;
        state = {
          e, rows: new Map(), place: null, sequence: null, shown: state?.shown ?? null,
          changed: new Set(state?.rows.keys()),
        };
        held.set(topic, state);
      }
      if (state.place && (from > state.place.v || v <= state.place.v)) return false;
      if (!state.place && from !== 0) return false;
      const { sequence } = state;
      // This is not the sequence that was begun: the connection broke in between, and the server begins again.
      if (sequence?.from !== from || sequence.v !== v) {
        state.sequence = { from, v, isWhole: from === 0, rows: new Map() };
      }
      for (const row of rows) {
        const before = state.sequence.rows.get(row.id);
        if (!before || before.v <= row.v) state.sequence.rows.set(row.id, row);
      }
      return more ? false : complete(topic, state, message);
    },

    /** Calls `follower` with what is shown, at once if there is something, and after each change, until the returned
     *  function is called. */
    follow(topic, follower) {
      if (!followers.has(topic)) followers.set(topic, new Set());
      followers.get(topic).add(follower);
      const shown = held.get(topic)?.shown;
      if (shown) follower({ ...shown, changed: new Set(shown.rows.keys()) });
      return () => followers.get(topic)?.delete(follower);
    },

    /** Forgets a topic that may no longer be read, or has to be read again. */
    drop(topic) {
      if (held.delete(topic)) tell(topic, null);
    },

    clear() {
      for (const topic of held.keys()) this.drop(topic);
    },
  };
}
