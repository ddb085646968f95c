// A trace as a line of computation: "(9 × 13.66 + 15 × 8) / (9 + 15) = 10.1225". Values are the server's exact
// rationals. A ratio is written as a decimal if that is finite and thus exact; otherwise as it is displayed, marked
// with ≈. A value that is rounded, adjusted or looked up in a table has an arrow: "1.5 → 2". No line is an equation
// that does not hold.

import { t } from './i18n.js';

const infix = { add: [' + ', 1], subtract: [' − ', 1], multiply: [' × ', 2], divide: [' / ', 2] };
const calls = new Set(['min', 'max', 'least', 'greatest', 'median', 'mode']);
const arrows = new Set(['round', 'adjust']);
// These look up a whole value in a table, so they are written with an arrow only if nothing else is around them.
const readings = new Set(['bands', 'curve']);
const [LONGEST, DEEPEST] = [200, 8];
const ARROW = 0;
const WHOLE = 9;

/** Writes "577/40" as "14.425", and "24/7" as it is. */
export function exactText(value) {
  if (value === null || value === undefined) return '–';
  const [sign, text] = String(value).startsWith('-') ? ['−', String(value).slice(1)] : ['', String(value)];
  return sign + (finite(...text.split('/')) ?? text);
}

// The decimal form of a fraction; null if it has more than 12 digits after the point.
function finite(numerator, denominator) {
  if (denominator === undefined) return numerator;
  for (let digits = 1n, power = 10n; digits <= 12n; digits += 1n, power *= 10n) {
    if (power % BigInt(denominator) === 0n) {
      return decimal(BigInt(numerator) * (power / BigInt(denominator)), Number(digits));
    }
  }
  return null;
}

function decimal(scaled, digits) {
  const text = String(scaled).padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** A value as a person reads it: "88.33 (265/3)" for a figure that is displayed as 88.33, "≈0.6667 (2/3)" for one that
 *  is not displayed. */
export function valueText(value, display = null) {
  const exact = exactText(value);
  if (display) {
    return !exact.includes('/') && Number(display) === Number(exact.replace('−', '-'))
      ? display
      : `${display} (${exact})`;
  }
  return exact.includes('/') ? `${rounded(exact)} (${exact})` : exact;
}

// A ratio with four decimals: "≈0.6667".
function rounded(ratio) {
  const [numerator, denominator] = ratio.replace('−', '').split('/').map(BigInt);
  return `≈${ratio.startsWith('−') ? '−' : ''}${decimal((20000n * numerator + denominator) / (2n * denominator), 4)}`;
}

/** The computation of a trace with its result. `shown(node)` returns how the figure of a node is displayed, if it is a
 *  figure. */
export const sentence = (trace, shown) => whole(write(trace, shown, 0), trace);

/** One step alone, with the values of its operands; null if the name of the node says the same. */
export function step(node, shown) {
  if (!(node.op in infix || calls.has(node.op) || node.op === 'sum' || node.op === 'mean')) return null;
  const text = compose(node, shown, DEEPEST)?.text ?? null;
  return text === exactText(node.value) ? null : text;
}

/** The formula of a trace's root. */
export const formula = (trace, shown) => write(trace, shown, 0).text;

function whole({ text, level }, { value }) {
  const result = exactText(value);
  return value === null || level === ARROW || text === result ? text : `${text} = ${result}`;
}

function write(node, shown, depth) {
  const result = depth > DEEPEST ? null : compose(node, shown, depth);
  return result === null || (depth > 0 && result.text.length > LONGEST) ? leaf(node, shown) : result;
}

// The parts of a node, as `{text, level}`; null if it is written as its value.
function compose(node, shown, depth) {
  const children = node.children ?? [];
  const parts = of => of.map(child => write(child, shown, depth + 1));
  if (node.value === null || children.length === 0) return null;
  if (node.op === 'term') return write(children[0], shown, depth);
  // If a person set a figure by hand, its child is what would be computed instead.
  if (node.op === 'figure') return depth > 0 || children[0].op === 'figure' ? null : write(children[0], shown, depth);
  if (arrows.has(node.op) || (readings.has(node.op) && depth === 0)) {
    return read(node, write(children[0], shown, depth + 1));
  }
  if (node.op === 'mean') return mean(used(children), shown, depth + 1);
  if (node.op === 'sum') return series(parts(used(children)), ' + ', 1);
  if (node.op in infix) {
    return series(parts(children), ...infix[node.op], node.op === 'divide' || node.op === 'subtract');
  }
  if (calls.has(node.op)) return call(node.op, parts(used(children)));
  return null;
}

const used = nodes => nodes.filter(({ state = 'used' }) => state === 'used');

function read({ value, children: [from] }, part) {
  return from.value === value ? part : { text: `${part.text} → ${exactText(value)}`, level: ARROW };
}

const call = (op, parts) => (parts.length === 0 ? null : {
  text: `${t(`formula.${op}`)}(${parts.map(({ text }) => text).join(t('formula.comma'))})`, level: WHOLE,
});

function mean(terms, shown, depth) {
  if (terms.length === 0) return null;
  const pairs = terms.map(({ children }) => children.map(child => write(child, shown, depth)));
  if (pairs.every(pair => pair.length < 2)) {
    return pairs.length === 1
      ? pairs[0][0]
      : { text: `${bracketed(series(pairs.map(([value]) => value), ' + ', 1), 2)} / ${pairs.length}`, level: 2 };
  }
  const one = { text: '1', level: WHOLE };
  const top = series(pairs.map(([value, weight = one]) => series([weight, value], ' × ', 2)), ' + ', 1);
  const bottom = series(pairs.map(([, weight = one]) => weight), ' + ', 1);
  return { text: `${bracketed(top, 2)} / ${bracketed(bottom, 3)}`, level: 2 };
}

function series(parts, sign, level, strict = false) {
  if (parts.length < 2) return parts[0] ?? null;
  const texts = parts.map((part, index) => bracketed(part, strict && index > 0 ? level + 1 : level));
  return { text: texts.join(sign), level };
}

const bracketed = (part, level) => (part.level < level ? `(${part.text})` : part.text);

// Writes a value inside a larger formula: exactly if possible; otherwise a figure as it is displayed, marked with ≈.
function leaf(node, shown) {
  const exact = exactText(node.value);
  const display = exact.includes('/') && shown(node);
  const text = display ? near(display, exact) : exact;
  return { text, level: text.includes('−') ? 1 : text.includes('/') ? 2 : WHOLE };
}

// Some figures are displayed to the nearest half: that is too inexact to compute with.
function near(display, ratio) {
  const [numerator, denominator] = ratio.replace('−', '-').split('/').map(Number);
  const digits = display.split('.')[1]?.length ?? 0;
  return Math.abs(Number(display) - numerator / denominator) < 10 ** -digits
    ? `≈${display.replace('-', '−')}`
    : rounded(ratio);
}

/** The rounding step nearest to the root: `{mode, scale}`. */
export function roundingOf(node) {
  if (node.rounding) return { mode: node.rounding.mode ?? node.rounding.rounding, scale: node.rounding.scale ?? null };
  return (node.children ?? []).length === 1 ? roundingOf(node.children[0]) : null;
}
