// The names of people who work in a class, by account.

import { t } from '../../core/text/i18n.js';
import { Unreachable } from '../../core/net/http.js';

export class ClassNames {
  #http;
  #me;
  #changed;
  #names = new Map();
  // The records for which names were requested.
  #asked = new Set();

  /** `me()` returns the user's own account; `changed()` is called when a name has arrived. */
  constructor(http, me, changed) {
    this.#http = http;
    this.#me = me;
    this.#changed = changed;
  }

  get size() {
    return this.#names.size;
  }

  /** The name of an account; null as long as it is unknown. */
  known = account => this.#names.get(account) ?? null;

  set(account, name) {
    if (name) this.#names.set(account, name);
  }

  /** How the page names somebody: "you" for the user. */
  of = account => (account === this.#me() ? t('class.you') : this.known(account) ?? t('class.someone'));

  /** Learns the name of somebody who has changed a row's record. Asks once for each record, and again after a failure
   *  of the network. */
  async learn(row, account) {
    if (!account || account === this.#me() || this.known(account) || this.#asked.has(row.record)) return;
    this.#asked.add(row.record);
    try {
      const { body } = await this.#http.get(`/v1/records/${row.record}/people`);
      for (const person of body.staff) this.set(person.id, person.displayName);
      if (this.known(account)) this.#changed();
    } catch (error) {
      if (error instanceof Unreachable) {
        addEventListener('online', () => this.#asked.delete(row.record), { once: true });
      }
    }
  }
}
