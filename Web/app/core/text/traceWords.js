// A trace as a formula: "(9 × 13.66 + 15 × 8) / (9 + 15)". Values are the server's exact rationals; a ratio is written
// as a decimal only if that is finite and thus exact.

const infix = { add: ' + ', subtract: ' − ', multiply: ' × ', divide: ' / ' };
const strength = { add: 1, subtract: 1, multiply: 2, divide: 2 };
const selections = ['min', 'max', 'least', 'greatest', 'median', 'mode'];
const LONGEST = 200;

/** "577/40" as "14.425", "24/7" as it is. */
export function exactText(value) {
  if (value === null || value === undefined) return '–';
  const [numerator, denominator] = String(value).split('/');
  if (denominator === undefined) return numerator;
  for (let digits = 1n, power = 10n; digits <= 12n; digits += 1n, power *= 10n) {
    if (power % BigInt(denominator) !== 0n) continue;
    const scaled = BigInt(numerator) * (power / BigInt(denominator));
    const text = String(scaled < 0n ? -scaled : scaled).padStart(Number(digits) + 1, '0');
    return `${scaled < 0n ? '−' : ''}${text.slice(0, -Number(digits))}.${text.slice(-Number(digits))}`;
  }
  return value;
}

/** The formula of a trace's root. `shown(node)` answers how the figure of a node is displayed, if it is one. */
export function formula(trace, shown) {
  return write(trace, shown, 0).text;
}

function write(node, shown, depth) {
  const used = (node.children ?? []).filter(child => (child.state ?? 'used') === 'used');
  const leaf = { text: leafText(node, shown), level: 9 };
  if (used.length === 0 || depth > 8 || node.op === 'bands' || node.op === 'curve' || (node.op === 'figure' && depth > 0)) return leaf;
  const result = compose(node, used, shown, depth + 1);
  return depth > 0 && result.text.length > LONGEST ? leaf : result;
}

function compose(node, used, shown, depth) {
  const parts = used.map(child => write(child, shown, depth));
  // Beside a figure that a person gave stands what would be computed.
  if (node.op === 'figure') return parts[0];
  if (node.op === 'mean') return mean(used, shown, depth);
  if (node.op === 'sum') return series(parts, ' + ', 1);
  if (node.op in infix) return series(parts, infix[node.op], strength[node.op], node.op === 'divide' || node.op === 'subtract');
  if (selections.includes(node.op)) return { text: `${node.op}(${parts.map(part => part.text).join(', ')})`, level: 9 };
  return parts.length === 1 ? parts[0] : series(parts, ' × ', 2);
}

function mean(terms, shown, depth) {
  const pairs = terms.map(term => (term.op === 'term' ? term.children ?? [] : [term]).map(child => write(child, shown, depth)));
  if (pairs.some(pair => pair.length < 2)) {
    return { text: `${bracketed(series(pairs.map(pair => pair[0]), ' + ', 1), 2)} / ${pairs.length}`, level: 2 };
  }
  const top = series(pairs.map(([value, weight]) => series([weight, value], ' × ', 2)), ' + ', 1);
  const bottom = series(pairs.map(pair => pair[1]), ' + ', 1);
  return { text: `${bracketed(top, 2)} / ${bracketed(bottom, 3)}`, level: 2 };
}

function series(parts, sign, level, strict = false) {
  if (parts.length === 1) return parts[0];
  const texts = parts.map((part, index) => bracketed(part, strict && index > 0 ? level + 1 : level));
  return { text: texts.join(sign), level };
}

const bracketed = (part, level) => (part.level < level ? `(${part.text})` : part.text);

// Writes a figure inside a larger formula: exactly if that is possible, otherwise as displayed and marked with ≈.
function leafText(node, shown) {
  if (node.display) return node.display;
  const text = exactText(node.value);
  const display = text.includes('/') && shown(node);
  return display ? `≈${display}` : text;
}

/** The rounding step nearest the top: `{mode, scale}`. */
export function roundingOf(node) {
  if (node.rounding) return { mode: node.rounding.mode ?? node.rounding.rounding, scale: node.rounding.scale ?? null };
  return (node.children ?? []).length === 1 ? roundingOf(node.children[0]) : null;
}
