// The column of a file that gives the section of each student.

import { bare, fold } from '../../core/text/fold.js';
import { t } from '../../core/text/i18n.js';
import { problemText } from '../../parts/frame/problem.js';

/**
 * The student of a row in the section that a text names: `{row, section, text, kind, fault}`, with the kind `changed`,
 * `same` or `refused`. A title that two sections share means neither.
 */
export function placing(sections, row, text) {
  const found = [fold, bare].map(form => sections.filter(({ title }) => form(title) === form(text)))
    .find(all => all.length > 0)
    ?? [];
  if (found.length !== 1) {
    return { row, section: null, text, kind: 'refused', fault: t('file.noSection', { title: text }) };
  }
  const [{ id }] = found;
  return { row, section: id, text, kind: row.section === id ? 'same' : 'changed', fault: null };
}

/** Puts students into the sections that a file names, as one act, with what the user saw as the precondition. */
export async function enterSections(desk, sections) {
  const rows = sections.filter(({ kind }) => kind === 'changed')
    .map(({ row, section }) => ({ row: row.id, section, was: row.section }));
  if (rows.length === 0) return;
  try {
    const { body } = await desk.app.http.post(`${desk.path}/sections`, { rows });
    desk.app.say(t('section.entered', { count: body.accepted }), 'good', desk.entry.did(body));
  } catch (error) {
    desk.app.say(problemText(error), 'bad');
  }
  await desk.rows.read();
}
