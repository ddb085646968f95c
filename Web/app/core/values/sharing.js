// What arrives is a whole document, of which nearly everything is as it was. What is equal is kept as the object that
// stands there already, so that "is it another?" is answered by identity from there on.

/** `after`, changed so that whatever in it equals what stands at its place in `before` is that; lists go by `id`. */
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
    // A member of this name would not be set but followed.
    if (name === '__proto__' || !Object.hasOwn(before, name)) {
      isSame = false;
      continue;
    }
    after[name] = shared(before[name], after[name]);
    if (after[name] !== before[name]) isSame = false;
  }
  return isSame ? before : after;
}
