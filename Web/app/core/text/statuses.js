// The names of the statuses of entries: the regulations name their own statuses, and the page those that every scheme
// has.

import { has, label, t } from './i18n.js';
import { valueIn } from '../values/own.js';

/** The name of a status; `holder` is the kind, or the column of a class, with the `statusLabels`. */
export function statusText(status, holder = null) {
  const own = valueIn(holder?.statusLabels, status);
  if (own) return label(own, status);
  return has(`status.${status}`) ? t(`status.${status}`) : status;
}
