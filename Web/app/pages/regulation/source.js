// Pure functions over the text of a document. The server counts in bytes of UTF-8, the browser in UTF-16.

/** Returns a function that converts a byte offset in `text` to a place in the text. An offset inside a character
 *  becomes its beginning, and one beyond the end becomes the end. */
export function placesOf(text) {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length === text.length) return place => Math.min(place, text.length);
  const places = new Uint32Array(bytes.length + 1);
  let at = -1;
  let width = 1;
  for (let index = 0; index < bytes.length; index += 1) {
    if ((bytes[index] & 0xc0) !== 0x80) {
      at += index === 0 ? 1 : width;
      width = bytes[index] >= 0xf0 ? 2 : 1;
    }
    places[index] = at;
  }
  places[bytes.length] = text.length;
  return place => places[Math.min(place, bytes.length)];
}

/** The change from `before` to `after`: the one stretch `start`…`end` of `before` that was replaced, and by how much
 *  the rest moved. */
export function changeOf(before, after) {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let same = 0;
  while (same < shorter - start
    && before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)) same += 1;
  return { start, end: before.length - same, by: after.length - before.length };
}

/** The ranges `[{start, end, …}]` after a change; those that it touches are left out. */
export function moved(ranges, { start, end, by }) {
  if (start === end && by === 0) return ranges;
  return ranges.flatMap(range => {
    if (range.end < start) return [range];
    return range.start > end ? [{ ...range, start: range.start + by, end: range.end + by }] : [];
  });
}

/** The line of a place, counted from 0, and where that line begins. */
export function lineAt(text, place) {
  let line = 0;
  let begin = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < place; at = text.indexOf('\n', at + 1)) {
    line += 1;
    begin = at + 1;
  }
  return { line, begin };
}

/** The text of the line that contains a place. */
export function lineTextAt(text, place) {
  const { begin } = lineAt(text, place);
  const end = text.indexOf('\n', begin);
  return text.slice(begin, end < 0 ? text.length : end);
}
