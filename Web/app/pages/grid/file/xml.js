// Reads XML as in the parts of a workbook: tags, their attributes and the text between them, within bounds. Document
// types and custom entities are not read.

import { FileFault } from './zip.js';

// A sheet has about six tags for each of its cells.
const MOST_TAGS = 2_000_000;
// The first tag of an OpenDocument file declares about fifty namespaces, and styles have about forty attributes.
const MOST_ATTRIBUTES = 128;

/** The tags of a document in order, each with the text before it: `{name, isEnd, isAlone, attributes, before}`. Takes
 *  linear time. */
export const tags = document => tagsOf(document.includes('\r') ? document.replace(/\r\n?/g, '\n') : document);

function* tagsOf(document) {
  let [at, count, text] = [0, 0, ''];
  for (;;) {
    const open = document.indexOf('<', at);
    if (open < 0) return;
    text += decoded(document.slice(at, open));
    if (document.startsWith('<!--', open) || document.startsWith('<?', open)
      || document.startsWith('<![CDATA[', open)) {
      const [mark, skip] = document[open + 1] === '?'
        ? ['?>', 2]
        : document[open + 2] === '-'
        ? ['-->', 4]
        : [']]>', 9];
      const close = document.indexOf(mark, open + skip);
      if (close < 0) throw new FileFault('unreadable');
      if (skip === 9) text += document.slice(open + skip, close);
      at = close + mark.length;
      continue;
    }
    // Custom entities of a document would begin here.
    if (document[open + 1] === '!') throw new FileFault('unreadable');
    const close = endOfTag(document, open + 1);
    const inner = document.slice(open + 1, close);
    const isEnd = inner.startsWith('/');
    const name = /^\/?([^\s/>]+)/.exec(inner)?.[1] ?? '';
    const attributes = isEnd ? {} : attributesOf(inner, name.length);
    if ((count += 1) > MOST_TAGS) throw new FileFault('tooLarge');
    yield { name: name.slice(name.indexOf(':') + 1), isEnd, isAlone: inner.endsWith('/'), attributes, before: text };
    [at, text] = [close + 1, ''];
  }
}

function endOfTag(document, start) {
  let quote = null;
  for (let at = start; at < document.length; at += 1) {
    const sign = document[at];
    if (quote !== null) quote = sign === quote ? null : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '>') return at;
  }
  throw new FileFault('unreadable');
}

// Reads one attribute after the other, up to the first text that is not an attribute: a search through the tag would
// try a long word again from each of its letters.
function attributesOf(inner, start) {
  const found = Object.create(null);
  let count = 0;
  const attribute = /\s+([^\s=/"'<>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
  attribute.lastIndex = start;
  for (let match = attribute.exec(inner); match; match = attribute.exec(inner)) {
    if ((count += 1) > MOST_ATTRIBUTES) throw new FileFault('tooLarge');
    found[match[1]] = decoded(match[2] ?? match[3]);
  }
  return found;
}

const entities = new Map([['amp', '&'], ['lt', '<'], ['gt', '>'], ['quot', '"'], ['apos', "'"]]);

const decoded = text =>
  (text.includes('&') ? text.replace(/&(#x[0-9a-fA-F]{1,6}|#\d{1,7}|[a-z]{2,4});/g, (whole, name) => {
    if (name[0] !== '#') return entities.get(name) ?? whole;
    const code = name[1] === 'x' ? parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  }) : text);
