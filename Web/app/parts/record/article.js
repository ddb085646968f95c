// The article of the regulations on which a figure or an outcome is based, with its text in the version that judges the
// record.

import { h } from '../../core/page/dom.js';
import { articleOf } from '../../core/text/articles.js';
import { t } from '../../core/text/i18n.js';
import { dialog } from '../frame/dialog.js';

/** The name of an article; as a button if the rules of the record are a document that contains it. */
export function articleLink(desk, cited) {
  if (!cited) return null;
  const { document } = desk.configuration;
  const article = document ? articleOf(document, cited) : null;
  return article
    ? h('button', { class: 'link article', type: 'button', translate: 'no', onclick: () => open(desk, article) }, cited)
    : h('span', { class: 'muted article', translate: 'no' }, cited);
}

// Closing the article shows again what was open before.
function open(desk, { title, lines }) {
  const before = desk.sheet;
  desk.open({
    view: () => dialog({ key: 'article', title, close: () => desk.open(before), className: 'sheet' },
      h('div', { class: 'article-text', translate: 'no' }, blocks(lines.join('\n')))),
  });
}

// Prose as paragraphs; the rules as they are written open on request, as few people read them.
const blocks = text => text.split(/^ {0,3}`{3,}.*$/m).map((part, index) => (index % 2 === 1
  ? h('details', { key: index }, h('summary', null, t('article.rules')), h('pre', { tabindex: '0' }, part.replace(/^\n+|\s+$/g, '')))
  : part.split(/\n\s*\n/).filter(own => own.trim() !== '').map(own => h('p', null, own.trim()))));
