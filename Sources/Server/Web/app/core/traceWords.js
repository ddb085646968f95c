// A trace in words: "(9 × 13.66 + 15 × 8) / 24 = 10.1225". The texts of the values are the server's.

const infix = { add: ' + ', sum: ' + ', subtract: ' − ', multiply: ' × ', divide: ' / ' };
const strength = { add: 1, sum: 1, subtract: 1, multiply: 2, divide: 2 };
const LONGEST = 160;

const counted = node => node.state === undefined || node.state === null || node.state === 'used';
const decimal = node => node.display || node.value;

/** What stands for a node inside a larger formula. */
export function formula(node, depth = 0) {
  const children = (node.children ?? []).filter(counted);
  if (depth > 6 || children.length === 0 || (node.op === 'figure' && depth > 0)) return { text: decimal(node) ?? '–', level: 9 };
  if (node.op in infix) return joined(node, children, depth);
  if (node.op === 'mean') return mean(node, children, depth);
  if (children.length === 1) return formula(children[0], depth + 1);
  const inner = children.map(child => formula(child, depth + 1).text).join(', ');
  return short({ text: `${node.op}(${inner})`, level: 9 }, node);
}

function joined(node, children, depth) {
  const level = strength[node.op];
  if (children.length === 1) return formula(children[0], depth + 1);
  const parts = children.map((child, index) => {
    const part = formula(child, depth + 1);
    const tight = index > 0 && (node.op === 'divide' || node.op === 'subtract');
    return part.level < level || (tight && part.level === level) ? `(${part.text})` : part.text;
  });
  return short({ text: parts.join(infix[node.op]), level }, node);
}

function mean(node, children, depth) {
  const parts = children.map(child => formula(child, depth + 1));
  const sum = parts.map(part => part.text).join(' + ');
  return short({ text: `(${sum}) / ${children.length}`, level: 2 }, node);
}

const short = (result, node) => (result.text.length > LONGEST && decimal(node) ? { text: decimal(node), level: 9 } : result);

/** The rounding that led to what is shown, if any, nearest the top. */
export function roundingOf(node) {
  if (node.rounding) return node.rounding;
  if ((node.children ?? []).length === 1) return roundingOf(node.children[0]);
  return null;
}

/** A rational as the server writes it ("577/40") needs no change; it is already exact. */
export const exactText = node => node.value ?? null;
