// The differences that a draft would make, row by row: student, kind, before and after.

import { h, named } from '../../core/page/dom.js';
import { has, t, toInput } from '../../core/text/i18n.js';
import { outcomeWord } from '../../core/text/outcomes.js';
import { exactText } from '../../core/text/traceWords.js';
import { SOME_KIND, figureName, outcomeName } from '../record/figureNames.js';
import { figureNameOfPath } from '../results/resultWords.js';
import { studentName } from '../record/students.js';

/** Rows of a rehearsal as a table. */
export function changesTable(rows, scheme) {
  return h('table', { class: 'changes' },
    h('thead', null, h('tr', null, ['program.student', 'change.what', 'conflict.before', 'change.after'].map(key =>
      h('th', { scope: 'col', key }, t(key))))),
    h('tbody', null, rows.map((row, index) => h('tr', { key: index, 'data-kind': row.kind },
      h('th', { scope: 'row' }, h('a', { href: `/records/${row.record}` }, named(studentName(row)))),
      h('td', null,
        row.path?.length > 0 && h('strong', null, named(figureNameOfPath(scheme, row.path)), ' · '),
        what(row, scheme)),
      h('td', null, h('del', null, side(row, scheme, row.before, row.exactBefore))),
      h('td', null, h('ins', null, side(row, scheme, row.after, row.exactAfter)))))));
}

function what({ kind, figure, entry }, scheme) {
  if (kind === 'refused') return t('change.refused');
  if (kind === 'lost') return figure === null ? t('change.lostEntry') : t('change.lost', { name: figure });
  const nameOf = kind === 'outcome' ? outcomeName : figureName;
  return t(`change.${kind}`, { name: nameOf(scheme, figure, entry ? SOME_KIND : null) });
}

// If a figure is displayed the same before and after, only its exact value differs, so that is shown.
function side({ kind, figure, before, after }, scheme, text, exact) {
  if (kind === 'figure' && before === after && exact) return toInput(exactText(exact));
  if (text === null || text === undefined) return '–';
  if (kind === 'outcome') return outcomeWord(scheme, figure, text);
  return kind === 'bar' && has(`band.${text}`) ? t(`band.${text}`) : toInput(text);
}
