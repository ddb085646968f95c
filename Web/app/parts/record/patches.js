// Edits an entry together with its children in one form: finds the necessary operations, and maps a fault in one of
// them back to its input.

import { patched } from './shapeFields.js';

/** The patches after which `entry` and its children equal `wanted`, a node from the form. */
export function patches(entry, wanted, prefix = '') {
  const fields = patched(entry.fields, withCleared(entry.fields, wanted.fields));
  const own = Object.keys(fields).length > 0 ? [{ prefix, op: { op: 'patch', entry: entry.id, fields } }] : [];
  const below = (entry.children ?? []).flatMap((child, index) =>
    wanted.children?.[index] ? patches(child, wanted.children[index], `${prefix}/children/${index}`) : []);
  return [...own, ...below];
}

// The form leaves out empty values, so values that existed before must be cleared.
const withCleared = (before, fields) => ({
  ...Object.fromEntries(Object.keys(before).filter(name => before[name] !== null).map(name => [name, null])),
  ...fields,
});

export async function applyPatches(book, list) {
  if (list.length === 0) return;
  try {
    await book.apply(list.map(item => item.op));
  } catch (error) {
    for (const fault of error.faults ?? []) fault.path = (list[fault.op ?? 0]?.prefix ?? '') + fault.path;
    throw error;
  }
}
