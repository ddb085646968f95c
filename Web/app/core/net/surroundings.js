// What goes on around a client: in a browser the network and the page, in other programs nothing that they are told of.

/** Whether there may be a network. */
export const isOnline = () => globalThis.navigator?.onLine !== false;

/** Calls `act` when the network is back (`online`) or gone (`offline`), when the page becomes visible (`visible`), or
 *  at another event of its window, until `signal` aborts. */
export function hear(event, act, signal) {
  if (event !== 'visible') globalThis.addEventListener?.(event, act, { signal });
  else globalThis.document?.addEventListener('visibilitychange', () => document.hidden || act(), { signal });
}
