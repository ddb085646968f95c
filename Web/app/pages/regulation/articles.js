// The articles of the text with what each declares, and a dot if something in it is wrong.

import { clamped, h } from '../../core/page/dom.js';
import { label, t } from '../../core/text/i18n.js';

// The declarations that get a line of their own below their article, and the greatest number of lines.
const shown = new Set(['bands', 'figure', 'outcome', 'template']);
const MOST = 500;

/** The table of contents. `go(place)` leads to an article; `wrong` are the places of faults. */
export function articleList(editor) {
  const { review } = editor;
  const headings = review.marks().filter(mark => mark.sort === 'heading');
  if (headings.length === 0) return h('p', { class: 'hint' }, t('regulation.noArticles'));
  const wrong = review.faults().filter(fault => !fault.isWarning).map(fault => fault.start);
  const items = review.declarations().filter(item => shown.has(item.sort));
  const kinds = new Map(review.declarations().filter(item => item.sort === 'entry').map(item =>
    [item.name, label(item.label, item.name)]));
  const lines = headings.flatMap((heading, index) => {
    const end = headings[index + 1]?.start ?? Infinity;
    const isIn = place => place >= heading.start && place < end;
    const text = editor.text.slice(heading.start, heading.end);
    return [
      {
        key: `article-${index}`, level: /^ *(#+)/.exec(text)?.[1].length ?? 1, text: text.replace(/^[ #]+/, ''),
        place: heading.start, isWrong: wrong.some(isIn),
      },
      ...items.filter(item => isIn(item.start)).map(item => ({
        key: `item-${item.sort}-${item.of ?? ''}-${item.name}`, level: 0, text: label(item.label, item.name),
        of: kinds.get(item.of), place: item.start, isWrong: false,
      })),
    ];
  });
  return h('ul', { class: 'way' }, lines.slice(0, MOST).map(line => h('li', { key: line.key, 'data-level': line.level },
    h('button', { type: 'button', class: 'link', onclick: () => editor.go(line.place) },
      clamped(line.text, false),
      line.of && h('span', { class: 'muted' }, ' · ', clamped(line.of, false)),
      line.isWrong && h('span', { class: 'wrong-dot', role: 'img', 'aria-label': t('regulation.hasFault') })))));
}
