// Topics that the server has ended: they must not be followed any more, until the user asks for them again.

export const isEnded = (app, topic) => app.store.state.ended[topic] !== undefined;

/** Forgets that a topic has ended: the user may be allowed to see it again, and if not, the server says so. */
export function begin(app, topic) {
  if (!isEnded(app, topic)) return;
  const { [topic]: why, ...ended } = app.store.state.ended;
  app.store.set({ ended });
}
