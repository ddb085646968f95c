// How a person looks at a class: what sorts and filters its rows, which columns are shown in which order, and how close the
// rows stand. It is kept in the address, so that a view is a link.

import { isDecimal } from '../../core/values/decimals.js';

/** What rows can be filtered by. */
export const FILTERS = ['risk', 'missing', 'toCome', 'mine'];

const NAMES = { sort: 'sort', section: 'section', only: 'only', below: 'below', hide: 'hide', order: 'order', dense: 'dense', names: 'names' };

/** The arrangement that nobody chose. Of `below`, `[{key, value}]`, a row stands below each value in its column. */
export const plain = () => ({ sort: [], section: null, only: new Set(), below: [], hidden: new Set(), order: [], isDense: false, isByLast: false });

const listed = text => (text ? text.split(',').filter(Boolean) : []);

// A value stands before its column, whose key may have any sign in it.
const boundOf = text => {
  const [value, ...key] = text.split('_');
  return { key: key.join('_'), value };
};

/** The arrangement that an address names, `URLSearchParams`. What it does not know is left out. */
export function arrangementOf(query) {
  return {
    sort: listed(query.get(NAMES.sort)).map(text => (text.startsWith('-') ? { key: text.slice(1), descending: true } : { key: text, descending: false })),
    section: query.get(NAMES.section) || null,
    only: new Set(listed(query.get(NAMES.only)).filter(name => FILTERS.includes(name))),
    below: listed(query.get(NAMES.below)).map(boundOf).filter(({ key, value }) => key && isDecimal(value)),
    hidden: new Set(listed(query.get(NAMES.hide))),
    order: listed(query.get(NAMES.order)),
    isDense: query.get(NAMES.dense) === '1',
    isByLast: query.get(NAMES.names) === 'last',
  };
}

/** The arrangement as pairs of an address; nothing for what nobody chose. */
export function queryOf({ sort, section, only, below, hidden, order, isDense, isByLast }) {
  return [
    [NAMES.sort, sort.map(({ key, descending }) => `${descending ? '-' : ''}${key}`).join(',')],
    [NAMES.section, section ?? ''], [NAMES.only, [...only].join(',')], [NAMES.below, below.map(({ key, value }) => `${value}_${key}`).join(',')], [NAMES.hide, [...hidden].join(',')], [NAMES.order, order.join(',')], [NAMES.dense, isDense ? '1' : ''],
    [NAMES.names, isByLast ? 'last' : ''],
  ].filter(([, text]) => text !== '');
}

/** The columns that are shown, in the order of a person; those that the person did not place stand behind. */
export function shownColumns(columns, { hidden, order }) {
  const place = new Map(order.map((key, index) => [key, index]));
  const at = column => place.get(column.key) ?? order.length;
  return columns.filter(({ key }) => !hidden.has(key)).sort((one, other) => at(one) - at(other));
}

/** The order of all columns after one has moved by `step` places among those that are shown. */
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
