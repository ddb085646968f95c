// The faults of the text, each with a link to its place and its fix.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { icon } from '../../parts/frame/icons.js';
import { problemText } from '../../parts/frame/problem.js';
import { faultWords } from './review.js';
import { lineAt } from './source.js';

export function faultList(editor) {
  const { review } = editor;
  const faults = review.faults();
  return h('section', { class: 'faults', 'aria-label': t('regulation.faults') },
    h('p', { role: 'status', class: 'muted' }, state(review, faults)),
    review.last?.settingFaults.length > 0 && h('p', { class: 'fault' }, t('regulation.settingFaults', {
      names: review.last.settingFaults.map(fault => fault.path.split('/').at(-1)).join(t('rules.comma')),
    })),
    faults.length > 0 && h('ol', { class: 'rows' }, faults.map((fault, index) => h('li', {
      key: `${index}-${fault.code}`, class: fault.isWarning ? 'is-warning' : null, 'aria-current': editor.isAt(fault) ? 'true' : null,
    },
      icon('warning'),
      h('button', { type: 'button', class: 'link grow', onclick: () => editor.go(fault.start, fault.end) },
        h('span', null, withCode(t('regulation.faultAt', { line: lineAt(editor.text, fault.start).line + 1, text: faultWords(fault) })))),
      fault.fix && h('button', { type: 'button', class: 'button quiet small', onclick: () => editor.mend(fault) },
        fixText(editor, fault))))));
}

// In messages, words of the rule language are between backticks.
const withCode = text => text.split('`').map((part, index) => (index % 2 === 1 ? h('code', { key: index, translate: 'no' }, part) : part));

/** The text of a fix's button. */
function fixText(editor, { fix }) {
  const text = fix.replacement;
  return text === '' ? t('regulation.remove', { text: editor.text.slice(fix.start, fix.end) || '␣' }) : t('regulation.write', { text });
}

function state(review, faults) {
  if (review.problem) return problemText(review.problem);
  if (!review.last) return t('regulation.checking');
  const errors = faults.filter(fault => !fault.isWarning).length;
  if (errors > 0) return t('regulation.errors', { count: errors });
  if (!review.isCurrent) return t('regulation.checking');
  return review.last.hasErrors ? t('regulation.checking') : t('regulation.noFaults');
}
