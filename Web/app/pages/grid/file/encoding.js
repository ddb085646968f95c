// The encoding of a text file, which does not name it itself.

import { language } from '../../../core/text/i18n.js';
import { FileFault } from './zip.js';

/**
 * The text of some bytes: UTF-16 if a byte order mark begins it, or UTF-8, or else the encoding that spreadsheets use
 * in the user's country. Throws a `FileFault` if UTF-8 is damaged: in any other encoding, all its non-ASCII letters
 * would be wrong.
 */
export function textOf(bytes) {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe
    ? 'utf-16le'
    : bytes[0] === 0xfe && bytes[1] === 0xff
    ? 'utf-16be'
    : null;
  const text = decoded(bytes, wide ?? 'utf-8');
  if (text !== null) return text;
  if (wide) throw new FileFault('unreadable');
  const { letters, wrong, line } = sequencesOf(bytes);
  if (letters > 0 && letters >= wrong) throw new FileFault('mixed', { line });
  return new TextDecoder(language().startsWith('zh') ? 'gb18030' : 'windows-1252').decode(bytes);
}

function decoded(bytes, encoding) {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

// The number of letters that are multi-byte sequences in UTF-8, the number of other non-ASCII bytes, and the line of
// the first of these. Letters that are rare in names and titles do not count, because two letters of an older encoding
// may form one by chance.
function sequencesOf(bytes) {
  let [letters, wrong, line, at] = [0, 0, 1, 0];
  let breaks = 1;
  while (at < bytes.length) {
    const length = lengthOf(bytes, at);
    if (length === 0) {
      if (wrong === 0) line = breaks;
      wrong += 1;
    } else if (length > 1 && isUsual(bytes, at)) letters += 1;
    if (bytes[at] === 0x0a || (bytes[at] === 0x0d && bytes[at + 1] !== 0x0a)) breaks += 1;
    at += Math.max(1, length);
  }
  return { letters, wrong, line };
}

function lengthOf(bytes, at) {
  const first = bytes[at];
  if (first < 0x80) return 1;
  const length = first >= 0xc2 && first < 0xe0
    ? 2
    : first >= 0xe0 && first < 0xf0
    ? 3
    : first >= 0xf0 && first < 0xf5
    ? 4
    : 0;
  for (let next = at + 1; next < at + length; next += 1) if ((bytes[next] & 0xc0) !== 0x80) return 0;
  return length;
}

// Latin letters with marks (U+00C0 to U+017F), punctuation (U+2000 to U+203F), and the scripts of East Asia.
const isUsual = (bytes, at) => (bytes[at] >= 0xc3 && bytes[at] <= 0xc5)
  || (bytes[at] === 0xe2 && bytes[at + 1] === 0x80) || (bytes[at] >= 0xe3 && bytes[at] <= 0xed);
