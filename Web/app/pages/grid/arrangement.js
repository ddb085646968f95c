// How a user arranges a class: what sorts and filters its rows, which columns are shown in which order, and how dense
// the rows are. It is kept in the address, so that a view is a link.

import { NAMES_PARAMETER, namesIn } from '../../core/text/names.js';
import { compareDecimals, isDecimal } from '../../core/values/decimals.js';

/** The filters of rows. What others have changed since the page opened is nothing to keep in an address. */
export const FILTERS = ['risk', 'missing', 'toCome', 'mine', 'others'];
const LASTING = FILTERS.filter(name => name !== 'others');

const NAMES = {
  sort: 'sort', section: 'section', only: 'only', below: 'below', low: 'low', hide: 'hide', order: 'order',
  dense: 'dense', names: NAMES_PARAMETER,
};

/** The arrangement before the user chooses one. `below` is `[{key, value}]`; a row is shown if it is below each value
 *  in its column. Results below `low`, a share of their scale in percent, are marked; null for none. `names` says by
 *  which names students are sorted (`namesIn`). */
export const plain = () => ({
  sort: [], section: null, only: new Set(), below: [], low: null, hidden: new Set(), order: [],
  isDense: false, names: null,
});

const listed = text => (text ? text.split(',').filter(Boolean) : []);

// The value comes before the key of its column, which may contain any character.
const boundOf = text => {
  const [value, ...key] = text.split('_');
  return { key: key.join('_'), value };
};

/** Whether a text is a share in percent: a decimal from 0 to 100. */
export const isShare = text => /^\d{1,3}(\.\d{1,4})?$/.test(text) && compareDecimals(text, '100') <= 0;

/** The arrangement in the query of an address (`URLSearchParams`). Unknown values are ignored. */
export function arrangementOf(query) {
  return {
    sort: listed(query.get(NAMES.sort)).map(text =>
      (text.startsWith('-') ? { key: text.slice(1), descending: true } : { key: text, descending: false })),
    section: query.get(NAMES.section) || null,
    only: new Set(listed(query.get(NAMES.only)).filter(name => LASTING.includes(name))),
    below: listed(query.get(NAMES.below)).map(boundOf).filter(({ key, value }) => key && isDecimal(value)),
    low: isShare(query.get(NAMES.low)) ? query.get(NAMES.low) : null,
    hidden: new Set(listed(query.get(NAMES.hide))),
    order: listed(query.get(NAMES.order)),
    isDense: query.get(NAMES.dense) === '1',
    names: namesIn(query),
  };
}

/** The arrangement as pairs of an address, without what the user did not choose. */
export function queryOf({ sort, section, only, below, low, hidden, order, isDense, names }) {
  return [
    [NAMES.sort, sort.map(({ key, descending }) => `${descending ? '-' : ''}${key}`).join(',')],
    [NAMES.section, section ?? ''], [NAMES.only, [...only].filter(name => LASTING.includes(name)).join(',')],
    [NAMES.below, below.map(({ key, value }) => `${value}_${key}`).join(',')], [NAMES.low, low ?? ''],
    [NAMES.hide, [...hidden].join(',')], [NAMES.order, order.join(',')], [NAMES.dense, isDense ? '1' : ''],
    [NAMES.names, names ?? ''],
  ].filter(([, text]) => text !== '');
}

/** The columns that are shown, in the order that the user chose; those that the user did not move come last. */
export function shownColumns(columns, { hidden, order }) {
  const place = new Map(order.map((key, index) => [key, index]));
  const at = column => place.get(column.key) ?? order.length;
  return columns.filter(({ key }) => !hidden.has(key)).sort((one, other) => at(one) - at(other));
}

/** The order of all columns after one has moved by `step` places among the visible ones. */
export function moved(columns, arrangement, key, step) {
  const keys = shownColumns(columns, { ...arrangement, hidden: new Set() }).map(column => column.key);
  const shown = keys.filter(other => !arrangement.hidden.has(other));
  const neighbour = shown[shown.indexOf(key) + step];
  if (neighbour === undefined) return keys;
  const [from, to] = [keys.indexOf(key), keys.indexOf(neighbour)];
  keys.splice(from, 1);
  keys.splice(to, 0, key);
  return keys;
}
