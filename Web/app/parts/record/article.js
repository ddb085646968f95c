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
function open(desk, article) {
  const before = desk.sheet;
  let readings = [];
  desk.open({
    view: () => dialog({ key: 'article', title: article.title, close: () => desk.open(before), className: 'sheet' },
      h('div', { class: 'article-text', translate: 'no' }, blocks(desk.configuration.document, article, readings))),
  });
  const show = found => {
    readings = found;
    desk.redraw();
  };
  // Without an answer, the rules are there as they are written.
  inWords(desk).then(show, () => {});
}

// The rules of the document in words of the reader's language, `[{of, text}]`, with their places in bytes.
async function inWords({ app, configuration: { document, settings } }) {
  const asked = { document, settings, examples: false, laws: false, annotations: true };
  return (await app.http.post('/v1/regulations/check', asked)).body.annotations.readings;
}

// Prose as paragraphs; the rules open on request, in words and as they are written.
function blocks(document, { title, start, lines }, readings) {
  const first = title === '' ? start : document.indexOf('\n', start) + 1;
  const bytesBefore = place => new TextEncoder().encode(document.slice(0, first + place)).length;
  return partsOf(lines.join('\n')).map(({ place, text }, index) => (index % 2 === 1
    ? h('div', { key: index }, words(readings, bytesBefore(place), bytesBefore(place + text.length)),
      h('details', null,
        h('summary', null, t('article.rules')),
        h('pre', { tabindex: '0' }, text.replace(/^\n+|\s+$/g, ''))))
    : text.split(/\n\s*\n/).filter(own => own.trim() !== '').map(own => h('p', null, own.trim()))));
}

function words(readings, from, until) {
  const own = readings.filter(({ of }) => from <= of && of < until);
  return own.length > 0 && h('details', { key: 'words' }, h('summary', null, t('article.words')),
    h('ul', null, own.map(({ of, text }) => h('li', { key: of }, h('p', null, text)))));
}

// Prose and rules in turn, `{place, text}`, without the lines between them.
function partsOf(text) {
  const fences = [...text.matchAll(/^ {0,3}`{3,}.*$/gm)];
  const starts = [0, ...fences.map(({ index, 0: fence }) => index + fence.length)];
  return starts.map((place, index) => ({ place, text: text.slice(place, fences[index]?.index) }));
}
