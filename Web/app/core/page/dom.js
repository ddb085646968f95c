// A small renderer: `h` describes elements as values, and `render` changes a container until it looks like the
// description, and nothing else. An element keeps its identity (focus, selection, scroll) as long as its tag and key
// stay the same.

const SVG = 'http://www.w3.org/2000/svg';
const shown = new WeakMap();
const handlers = new WeakMap();
const properties = new Set(['value', 'checked', 'indeterminate', 'selected', 'muted']);

/** Describes one element. Children may be nested lists, strings and numbers; null, undefined, true and false are
 *  skipped. */
export function h(tag, props, ...children) {
  return { tag, props: props ?? {}, key: props?.key, children: nodes(children) };
}

/**
 * A part that is drawn again only if one of `deps` is not the same value as last time. `make()` describes its element,
 * and `key` identifies it among its siblings.
 */
export const memo = (key, deps, make) => ({ key, deps, make });

/** The name of a person or a thing, isolated so that its writing direction does not affect the text around it. */
export const named = (name, props = null) => h('bdi', props, name);

/**
 * A text that a scheme may have made long: two lines are shown, and all of it while the pointer is on it or it has the
 * focus. Inside a button it must not take the focus.
 */
export const clamped = (text, takesFocus = true) =>
  (text.length > 70 ? h('span', { class: 'clamped', title: text, tabindex: takesFocus ? '0' : null }, text) : text);

/** Makes `container` show `content`. */
export function render(container, content) {
  const next = nodes([content]);
  reconcile(container, shown.get(container) ?? [], next, false);
  shown.set(container, next);
}

function nodes(list, into = []) {
  for (const item of list) {
    if (Array.isArray(item)) nodes(item, into);
    else if (item === null || item === undefined || typeof item === 'boolean') continue;
    else if (typeof item === 'object') into.push(item);
    else into.push({ text: String(item) });
  }
  return into;
}

function reconcile(parent, before, after, inSVG) {
  const keyed = new Map();
  const loose = [];
  for (const node of before) {
    if (node.key === undefined) loose.push(node);
    else keyed.set(node.key, node);
  }
  const fresh = new Set();
  for (const [index, described] of after.entries()) {
    const node = described.make ? remembered(described, keyed.get(described.key)) : described;
    after[index] = node;
    const match = claim(node, keyed, loose);
    if (!match) fresh.add(node);
    if (!match) create(node, inSVG);
    else if (match !== node) update(match, node, inSVG);
  }
  // Remove nodes that are gone first, so that no remaining node has to move; nodes with `onUnmount` are removed last.
  const gone = [...keyed.values(), ...loose];
  for (const node of gone) if (!node.props?.onUnmount) remove(parent, node);
  let place = parent.firstChild;
  for (const node of after) {
    if (node.element === place) place = place.nextSibling;
    else parent.insertBefore(node.element, place);
    if (fresh.has(node)) node.props?.onMount?.(node.element);
  }
  for (const node of gone) {
    remove(parent, node);
    forget(node);
  }
}

function remove(parent, node) {
  if (node.element.parentNode === parent) parent.removeChild(node.element);
}

// Returns the previous drawing of a part if its dependencies are unchanged.
function remembered(part, before) {
  if (before?.deps && isSame(before.deps, part.deps)) return before;
  return Object.assign(part.make(), { key: part.key, deps: part.deps });
}

const isSame = (before, after) => before.length === after.length && before.every((dep, index) => dep === after[index]);

function claim(node, keyed, loose) {
  if (node.key !== undefined) {
    const match = keyed.get(node.key);
    if (!match || match.tag !== node.tag) return null;
    keyed.delete(node.key);
    return match;
  }
  const index = loose.findIndex(candidate => candidate.tag === node.tag && role(candidate) === role(node));
  return index < 0 ? null : loose.splice(index, 1)[0];
}

// Without a key, elements with the same tag and first class match: an alert above inputs replaces none of them.
const role = node => node.props?.class?.split(' ', 1)[0];

function create(node, inSVG) {
  if (node.tag === undefined) {
    node.element = document.createTextNode(node.text);
    return;
  }
  const svg = inSVG || node.tag === 'svg';
  node.element = svg ? document.createElementNS(SVG, node.tag) : document.createElement(node.tag);
  reconcile(node.element, [], node.children, svg && node.tag !== 'foreignObject');
  for (const [name, value] of Object.entries(node.props)) apply(node.element, name, value, undefined);
  if ('initial' in node.props) node.element.value = node.props.initial ?? '';
}

function update(old, node, inSVG) {
  node.element = old.element;
  if (node.tag === undefined) {
    if (old.text !== node.text) node.element.nodeValue = node.text;
    return;
  }
  const svg = inSVG || node.tag === 'svg';
  reconcile(node.element, old.children, node.children, svg && node.tag !== 'foreignObject');
  for (const name of Object.keys(old.props)) {
    if (!(name in node.props)) apply(node.element, name, null, old.props[name]);
  }
  for (const [name, value] of Object.entries(node.props)) {
    if (value !== old.props[name]) apply(node.element, name, value, old.props[name]);
  }
}

function apply(element, name, value, before) {
  if (name === 'key' || name === 'initial' || name === 'onMount' || name === 'onUnmount') return;
  if (name.startsWith('on')) listen(element, name.slice(2).toLowerCase(), value);
  else if (name === 'style') restyle(element, value ?? {}, before ?? {});
  else if (properties.has(name)) setProperty(element, name, value);
  else if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : value);
}

function setProperty(element, name, value) {
  const wanted = value ?? (name === 'value' ? '' : false);
  if (element[name] !== wanted) element[name] = wanted;
}

// The content security policy forbids style attributes, but allows scripts to set single properties.
function restyle(element, style, before) {
  for (const name of Object.keys(before)) if (!(name in style)) element.style.removeProperty(name);
  for (const [name, value] of Object.entries(style)) element.style.setProperty(name, value);
}

function listen(element, type, handler) {
  const own = handlers.get(element) ?? {};
  if (!handlers.has(element)) handlers.set(element, own);
  if (!(type in own) && handler) element.addEventListener(type, event => own[event.type]?.(event));
  own[type] = handler;
}

function forget(node) {
  node.props?.onUnmount?.(node.element);
  for (const child of node.children ?? []) forget(child);
}
