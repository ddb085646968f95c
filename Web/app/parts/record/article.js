// The article of the regulations that a figure or an outcome carries out, and its text as the version has it that judges the
// record.

import { h } from '../../core/page/dom.js';
import { articleOf } from '../../core/text/articles.js';
import { dialog } from '../frame/dialog.js';

/** The name of an article; a button where the rules of the record are a document that has it. */
export function articleLink(desk, cited) {
  if (!cited) return null;
  const { document } = desk.configuration;
  const article = document ? articleOf(document, cited) : null;
  return article
    ? h('button', { class: 'link article', type: 'button', translate: 'no', onclick: () => open(desk, article) }, cited)
    : h('span', { class: 'muted article', translate: 'no' }, cited);
}

// Closing it leads back to what was open.
function open(desk, { title, lines }) {
  const before = desk.sheet;
  desk.open({
    view: () => dialog({ key: 'article', title, close: () => desk.open(before), className: 'sheet' },
      h('div', { class: 'article-text', translate: 'no' }, blocks(lines.join('\n')))),
  });
}

// Prose in its paragraphs, and rules as they are written.
const blocks = text => text.split(/^ {0,3}`{3,}.*$/m).map((part, index) => (index % 2 === 1
  ? h('pre', { tabindex: '0' }, part.replace(/^\n+|\s+$/g, ''))
  : part.split(/\n\s*\n/).filter(own => own.trim() !== '').map(own => h('p', null, own.trim()))));
