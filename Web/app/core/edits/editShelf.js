// Stores edits until they are entered. All tabs of the account share them.

import { hear } from '../net/surroundings.js';
import { PREFIX } from '../storage/kept.js';
import { Shelf } from '../storage/shelf.js';

// The edits of earlier versions: one unencrypted list for all users of the browser.
const OLD = 'gradecast.edits';

export class EditShelf extends Shelf {
  #account;

  constructor(account, seal) {
    super(localStorage, `${PREFIX}${account}.`, seal);
    this.#account = account;
  }

  /** Takes over what an earlier version kept for this account, and leaves the edits of others for them. */
  async takeOver() {
    const mine = oldEdits().filter(edit => edit.account === this.#account);
    for (const edit of mine) {
      const at = Date.parse(edit.at) || 0;
      await this.put({ ...edit, order: at, triedAt: edit.triedAt ?? at });
    }
    const others = oldEdits().filter(edit => !mine.some(({ id }) => id === edit.id));
    if (mine.length === 0) return;
    if (others.length > 0) localStorage.setItem(OLD, JSON.stringify(others));
    else localStorage.removeItem(OLD);
  }

  /** Calls `changed` when another tab stores or removes an edit, until `signal` aborts. */
  static watch(changed, signal) {
    hear('storage', event => (event.key === null || event.key.startsWith(PREFIX)) && changed(), signal);
  }
}

function oldEdits() {
  try {
    const kept = JSON.parse(localStorage.getItem(OLD) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}
