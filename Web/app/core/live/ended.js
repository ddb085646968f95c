// Topics that the server has ended: they may not be followed any more, until they are followed again.

export const isEnded = (app, topic) => app.store.state.ended[topic] !== undefined;

/** Forgets that a topic had ended: the person may be allowed to see it again, and the server says so if not. */
export function begin(app, topic) {
  if (!isEnded(app, topic)) return;
  const { [topic]: why, ...ended } = app.store.state.ended;
  app.store.set({ ended });
}
