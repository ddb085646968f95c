// The only place of the client's state. Pages read it while they draw; changes go through `set`, and everything is
// redrawn in the next frame.

export function createStore(initial) {
  let state = initial;
  const listeners = new Set();
  return {
    get state() {
      return state;
    },
    /** Merges `changes` into the state and tells the listeners. */
    set(changes) {
      state = { ...state, ...changes };
      for (const listener of listeners) listener(state);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
