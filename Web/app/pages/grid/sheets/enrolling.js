// How a student gets into a class: the request, and the student's entries and records that matter for it.

import { t } from '../../../core/text/i18n.js';
import { h } from '../../../core/page/dom.js';

// At most this many pages of a student's records are read.
const PAGES = 10;

/** The choices for students who join: `{section, from, earlier}`, with a section's identifier or null, a day or '', and
 *  what happens to work that was due before. */
export const beginningOf = desk => ({ section: desk.section, from: '', earlier: 'open' });

/** These choices in a form; `how` is changed in place. */
export function joining(desk, how, id) {
  const select = (name, title, values) => h('div', { class: 'field' },
    h('label', { for: `${id}-${name}` }, title),
    h('select', { id: `${id}-${name}`, onchange: event => { how[name] = event.target.value || null; } },
      values.map(([value, text]) => h('option', { key: value, value, selected: value === (how[name] ?? '') }, text))));
  return h('details', { class: 'joining' },
    h('summary', null, t('roster.joining')),
    desk.sections.length > 0
      && select('section', t('section.title'),
        [['', t('section.none')], ...desk.sections.map(({ id: one, title }) => [one, title])]),
    h('div', { class: 'field' },
      h('label', { for: `${id}-from` }, t('roster.from')),
      h('input', {
        id: `${id}-from`, type: 'date', value: how.from, onchange: event => { how.from = event.target.value; },
      })),
    select('earlier', t('roster.earlier'),
      ['open', 'missing', 'excused'].map(value => [value, t(`roster.earlier.${value}`)])));
}

/** Puts a member into the class. `record` selects one of several records, `replaces` names an entry that is removed. */
export async function enrol(desk, member, { section, from, earlier }, { record = null, replaces = null } = {}) {
  const { body } = await desk.app.http.post(`${desk.path}/enrolments`, {
    student: member.account, ...(record ? { record } : {}), ...(replaces ? { replaces } : {}),
    ...(section ? { section } : {}),
    ...(from ? { from } : {}), ...(earlier !== 'open' ? { earlier } : {}),
  });
  desk.entry.did(body.enrolment);
  desk.names.set(body.enrolment.student, member.displayName);
}

/** Entries of the student's own record that have the class's title or number; none if the user may not read the
 *  record. */
export async function alike(desk, member, record = null) {
  try {
    const records = record ? [{ id: record }] : await recordsOf(desk, member);
    if (records.length !== 1) return [];
    const { body } = await desk.app.http.get(`/v1/records/${records[0].id}`);
    const [root] = desk.taught.structure.lines;
    const texts = new Set(textsOf(root.fields).map(text => text.trim().toLowerCase()));
    return body.record.entries.filter(entry => entry.kind === root.kind && !entry.class
      && textsOf(entry.fields).some(text => texts.has(text.trim().toLowerCase())));
  } catch (error) {
    if (![403, 404].includes(error.status)) throw error;
    return [];
  }
}

/** The texts of an entry, which name it. */
export const textsOf = fields => Object.values(fields).filter(value => typeof value === 'string' && value !== '');

/** The records that a student has in the class's program. */
export async function recordsOf(desk, member) {
  const records = [];
  let path = `/v1/records?program=${desk.program.id}&student=${encodeURIComponent(member.account)}&limit=200`;
  for (let page = 0; path && page < PAGES; page += 1) {
    const { body, next } = await desk.app.http.get(path);
    records.push(...body.items);
    path = next;
  }
  return records;
}
