// The faults of the text, each with a link to its place and its fix, and the laws of grading that it breaks.

import { h } from '../../core/page/dom.js';
import { label, t } from '../../core/text/i18n.js';
import { icon } from '../../parts/frame/icons.js';
import { problemText, withCode } from '../../parts/frame/problem.js';
import { faultWords } from './review.js';
import { lineAt } from './source.js';

export function faultList(editor) {
  const { review } = editor;
  const faults = review.faults();
  const broken = review.isCurrent ? brokenLaws(review.last) : [];
  return h('section', { class: 'faults', 'aria-label': t('regulation.faults') },
    h('p', { role: 'status', class: 'muted' }, state(review, faults, broken)),
    review.last?.settingFaults.length > 0 && h('p', { class: 'fault' }, t('regulation.settingFaults', {
      names: review.last.settingFaults.map(fault => fault.path.split('/').at(-1)).join(t('rules.comma')),
    })),
    faults.length > 0 && h('ol', { class: 'rows' }, faults.map((fault, index) => h('li', {
      key: `${index}-${fault.code}`, class: fault.isWarning ? 'is-warning' : null,
      'aria-current': editor.isAt(fault) ? 'true' : null,
    },
      icon('warning'),
      h('button', { type: 'button', class: 'link grow', onclick: () => editor.go(fault.start, fault.end) },
        h('span', null,
          withCode(t('regulation.faultAt', {
            line: lineAt(editor.text, fault.start).line + 1, text: faultWords(fault),
          })))),
      fault.fix && h('button', { type: 'button', class: 'button quiet small', onclick: () => editor.mend(fault) },
        fixText(editor, fault))))),
    broken.length > 0 && h('ol', { class: 'rows laws' },
      broken.map(law => h('li', { key: law.law }, icon('warning'), lawText(editor, law)))));
}

/** The laws that the text of an answer breaks. */
export const brokenLaws = last => (last?.laws ?? []).filter(law => !law.kept);

// A law, what breaks it and what to write instead, which leads to the figure.
function lawText(editor, { statement, detail, remedy, line, article }) {
  const text = [t('regulation.lawBroken', { law: label(statement), detail }), remedy && label(remedy)].filter(Boolean)
    .join(' — ');
  const place = line ? t('regulation.faultAt', { line, text: [article, text].filter(Boolean).join(' · ') }) : text;
  return line
    ? h('button', { type: 'button', class: 'link grow', onclick: () => editor.goToLine(line) },
      h('span', null, withCode(place)))
    : h('span', { class: 'grow' }, withCode(place));
}

/** The text of a fix's button. */
function fixText(editor, { fix }) {
  const text = fix.replacement;
  return text === ''
    ? t('regulation.remove', { text: editor.text.slice(fix.start, fix.end) || '␣' })
    : t('regulation.write', { text });
}

function state(review, faults, broken) {
  if (review.problem) return problemText(review.problem);
  if (!review.last) return t('regulation.checking');
  const errors = faults.filter(fault => !fault.isWarning).length;
  if (errors > 0) return t('regulation.errors', { count: errors });
  if (!review.isCurrent) return t('regulation.checking');
  if (broken.length > 0) return t('regulation.lawsBroken', { count: broken.length });
  return review.last.hasErrors ? t('regulation.checking') : t('regulation.noFaults');
}
