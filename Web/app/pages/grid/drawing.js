// Elements that are drawn many times: they are created once, and updated only if something has changed.

export const make = (tag, className, attributes = {}) => {
  const element = document.createElement(tag);
  element.className = className;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};

/** Whether anything differs from what was drawn; `seen` is then updated. */
export function differs(seen, next) {
  let isOther = false;
  for (const name of Object.keys(next)) {
    if (seen[name] === next[name]) continue;
    seen[name] = next[name];
    isOther = true;
  }
  return isOther;
}

export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
}
