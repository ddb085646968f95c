// A received document is complete but mostly unchanged. Equal parts are replaced by the objects that are already there,
// so that comparing identities shows what changed.

/** `after`, in which every part that equals its counterpart in `before` is replaced by that object. Items of lists are
 *  matched by `id`. */
export function shared(before, after) {
  if (before === after || !isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after)) {
    return before === after ? before : after;
  }
  return Array.isArray(after) ? sharedList(before, after) : sharedObject(before, after);
}

const isObject = value => typeof value === 'object' && value !== null;

function sharedList(before, after) {
  const known = new Map(before.filter(item => item?.id !== undefined).map(item => [item.id, item]));
  let isSame = before.length === after.length;
  for (const [index, item] of after.entries()) {
    after[index] = shared(item?.id === undefined ? before[index] : known.get(item.id), item);
    if (after[index] !== before[index]) isSame = false;
  }
  return isSame ? before : after;
}

function sharedObject(before, after) {
  const names = Object.keys(after);
  let isSame = names.length === Object.keys(before).length;
  for (const name of names) {
    // Assigning a member of this name would set the prototype.
    if (name === '__proto__' || !Object.hasOwn(before, name)) {
      isSame = false;
      continue;
    }
    after[name] = shared(before[name], after[name]);
    if (after[name] !== before[name]) isSame = false;
  }
  return isSame ? before : after;
}
