// The coloured layer: a text area whose letters are transparent is drawn over the same text in colours, so that undo,
// search, input methods and screen readers work as in any text area. Lines that have not changed are not drawn again.

/** The colours of a text area. `area` and `layer` are elements of the same size and font. */
export class Layer {
  #layer;
  #lines = [];

  constructor(layer) {
    this.#layer = layer;
  }

  /** Shows `text` with `marks`, ranges `{start, end, sort}` in text order that do not overlap, and with `faults`,
   *  `{start, end, isWarning}`. */
  show(text, marks, faults) {
    const next = linesOf(text, marks, faults);
    const before = this.#lines;
    const shorter = Math.min(before.length, next.length);
    let start = 0;
    while (start < shorter && before[start].key === next[start].key) start += 1;
    let same = 0;
    while (same < shorter - start && before[before.length - 1 - same].key === next[next.length - 1 - same].key) {
      same += 1;
    }
    for (const line of before.slice(start, before.length - same)) line.element.remove();
    const place = this.#layer.childNodes[start] ?? null;
    const fresh = document.createDocumentFragment();
    for (const line of next.slice(start, next.length - same)) fresh.append(line.element = drawn(line));
    this.#layer.insertBefore(fresh, place);
    for (const [index, line] of next.entries()) {
      line.element ??= before[index < start ? index : before.length - next.length + index].element;
    }
    this.#lines = next;
  }

  /** The place in the text at a point of the window; null if there is no word. */
  placeAt(x, y) {
    const word = document.elementsFromPoint(x, y)
      .find(element => element.dataset?.from && this.#layer.contains(element));
    const line = word && this.#lines.find(({ element }) => element === word.parentNode);
    return line ? line.start + Number(word.dataset.from) : null;
  }

  /** The element of the line at a place. */
  elementAt(place) {
    return this.#lines.findLast(line => line.start <= place)?.element ?? null;
  }
}

// Each line with its pieces that have a colour or a fault; `key` is the same as long as the line looks the same.
function linesOf(text, marks, faults) {
  let start = 0;
  let mark = 0;
  const inOrder = [...faults].sort((one, other) => one.start - other.start);
  return text.split('\n').map(line => {
    const end = start + line.length;
    const pieces = [];
    while (mark < marks.length && marks[mark].end <= start) mark += 1;
    for (let index = mark; index < marks.length && marks[index].start < end; index += 1) {
      pieces.push({
        from: Math.max(0, marks[index].start - start), to: Math.min(line.length, marks[index].end - start),
        sort: marks[index].sort,
      });
    }
    const wrong = inOrder.filter(fault => fault.start <= end && Math.max(fault.end, fault.start + 1) > start)
      .map(fault =>
        ({
          from: Math.max(0, fault.start - start), to: Math.min(line.length, fault.end - start),
          isWarning: fault.isWarning,
        }))
      .filter(fault => fault.to > fault.from);
    const found = { text: line, start, pieces: cut(line, pieces, wrong), key: '' };
    found.key = `${line}\n${found.pieces.map(piece => `${piece.from} ${piece.to} ${piece.look}`).join('\n')}`;
    start = end + 1;
    return found;
  });
}

// Pieces that do not overlap, cut where a fault begins or ends.
function cut(line, pieces, faults) {
  if (pieces.length === 0 && faults.length === 0) return [];
  const bounds = [...new Set([0, line.length,
    ...[...pieces, ...faults].flatMap(({ from, to }) => [from, to])])].sort((a, b) => a - b);
  return bounds.slice(1).map((to, index) => {
    const from = bounds[index];
    const over = ({ from: start, to: end }) => start <= from && end >= to;
    const fault = faults.find(over);
    const look = [pieces.find(over)?.sort, fault && (fault.isWarning ? 'doubtful' : 'wrong')].filter(Boolean).join(' ');
    return { from, to, look };
  });
}

function drawn({ text, pieces }) {
  const element = document.createElement('div');
  if (pieces.length === 0) {
    element.textContent = text;
    return element;
  }
  for (const { from, to, look } of pieces) {
    const piece = document.createElement('span');
    piece.textContent = text.slice(from, to);
    if (look) {
      piece.className = look;
      piece.dataset.from = from;
    }
    element.append(piece);
  }
  return element;
}
