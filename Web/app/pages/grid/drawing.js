// Elements that are drawn again many times: made once, and touched only where something is other than it was.

export const make = (tag, className, attributes = {}) => {
  const element = document.createElement(tag);
  element.className = className;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};

/** Whether anything is other than what was drawn; then it is taken as drawn. */
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
