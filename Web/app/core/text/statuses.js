// What statuses of entries are called: as the regulations call their own, and as the page calls those that every scheme knows.

import { has, label, t } from './i18n.js';
import { valueIn } from '../values/own.js';

/** The name of a status; `holder` is the kind, or the column of a class, that has `statusLabels`. */
export function statusText(status, holder = null) {
  const own = valueIn(holder?.statusLabels, status);
  if (own) return label(own, status);
  return has(`status.${status}`) ? t(`status.${status}`) : status;
}
