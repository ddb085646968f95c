// Keeps an unsaved text through a reload and a lost session: in its tab, sealed for its author. A guest's text is kept
// like other calculations without an account.

import { FleetingShelf, Shelf } from '../../core/storage/shelf.js';
import { keepCalculation, keptCalculation } from '../../core/data/calculations.js';

const PREFIX = 'gradecast.regulation.';
// How long a text is kept, in milliseconds.
const LASTING = 12 * 3600e3;
const fleeting = new FleetingShelf();

/** The store for the unsaved text of a program; without an account, the store of the page for guests. */
export function keeperOf({ store, seal }, program) {
  const { account } = store.state;
  if (!account) {
    return {
      read: async () => fresh(keptCalculation('regulations')),
      write: async value => keepCalculation('regulations', { ...value, at: Date.now() }),
      forget: () => keepCalculation('regulations', null),
    };
  }
  const shelf = seal ? new Shelf(sessionStorage, `${PREFIX}${account.id}.`, seal) : fleeting;
  const id = seal ? program : `${account.id}.${program}`;
  // Sealing takes a moment: one call after the other, so that the last one counts.
  let last = Promise.resolve();
  const then = act => (last = last.then(act).catch(() => {}));
  return {
    read: async () => fresh((await shelf.list()).find(value => value.id === id && value.state !== 'locked') ?? null),
    write: value => then(() => shelf.put({ ...value, id, at: Date.now() })),
    forget: () => then(() => shelf.remove(id)),
  };
}

const fresh = value => (value && Date.now() - value.at < LASTING ? value : null);
