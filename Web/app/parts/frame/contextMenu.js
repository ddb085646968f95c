// A context menu: opened by the right button, a long press, Shift+F10 or the menu key.

import { h } from '../../core/page/dom.js';
import { icon } from './icons.js';

// How long a finger has to rest, in milliseconds, and how far it may move, in pixels. Systems with a gesture of their
// own react sooner.
const HOLD = 600;
const SLIP = 10;
// The space between the menu and the edges of the window, in pixels.
const MARGIN = 8;

/**
 * A menu at `at`, `{x, y}`. `items` are `{text, symbol, keys, isOn, act}`; with `isOn` an item can be checked, and null
 * is a line between other items. `close()` closes the menu, `back()` returns the focus to the element that the menu is
 * about.
 */
export function contextMenu({ label, at, items, close, back }) {
  const leave = () => {
    back();
    close();
  };
  return h('div', {
    class: 'context-menu', role: 'menu', 'aria-label': label, tabindex: '-1',
    onMount: element => {
      place(element, at);
      element.querySelector('[role^=menuitem]')?.focus();
      // The user pressed something outside: the focus goes there.
      const outside = event => element.contains(event.target) || close();
      for (const [target, type] of [[document, 'pointerdown'], [window, 'resize'], [window, 'blur']]) {
        target.addEventListener(type, outside, { capture: true, signal: ended(element) });
      }
    },
    onUnmount: element => endings.get(element)?.abort(),
    onkeydown: event => key(event, leave),
    oncontextmenu: event => event.preventDefault(),
  }, lined(items).map((item, index) => (item === null
    ? h('hr', { key: index, role: 'separator' })
    : h('button', {
      key: item.text, class: 'menu-item', type: 'button', tabindex: '-1',
      role: item.isOn === undefined ? 'menuitem' : 'menuitemcheckbox',
      'aria-checked': item.isOn === undefined ? null : String(item.isOn),
      // The action may move the focus.
      onclick: () => {
        leave();
        item.act();
      },
    }, item.isOn || item.symbol ? icon(item.isOn ? 'check' : item.symbol) : h('span', { class: 'icon' }), h('span',
    { class: 'grow' }, item.text), item.keys && h('kbd', { 'aria-hidden': 'true' }, item.keys)))));
}

// Without lines before the first and after the last item.
const lined = items => items.filter(item => item || item === null)
  .filter((item, index, all) => item !== null || (all.slice(0, index).some(Boolean) && all.slice(index).some(Boolean)));

const endings = new WeakMap();

function ended(element) {
  if (!endings.has(element)) endings.set(element, new AbortController());
  return endings.get(element).signal;
}

function place(element, { x, y }) {
  const { width, height } = element.getBoundingClientRect();
  element.style.left = `${Math.max(MARGIN, Math.min(x, innerWidth - width - MARGIN))}px`;
  element.style.top = `${Math.max(MARGIN, Math.min(y, innerHeight - height - MARGIN))}px`;
}

function key(event, leave) {
  event.stopPropagation();
  const items = [...event.currentTarget.querySelectorAll('[role^=menuitem]')];
  const at = items.indexOf(document.activeElement);
  const next = {
    ArrowDown: (at + 1) % items.length, ArrowUp: (at + items.length - (at < 0 ? 0 : 1)) % items.length, Home: 0,
    End: items.length - 1,
  }[event.key];
  if (next !== undefined) items[next].focus();
  else if (event.key === 'Escape' || event.key === 'Tab') leave();
  else return;
  event.preventDefault();
}

/** The place of a menu that was opened by keyboard: at the element that it is about. */
export function besides(element) {
  const { left, bottom } = element.getBoundingClientRect();
  return { x: left + MARGIN, y: bottom };
}

/** Calls `open(target, at)` when the user asks for a menu in `element` by mouse, key or finger; `open` returns whether
 *  there is a menu. */
export function onMenu(element, open) {
  let [timer, from, isHeld] = [null, null, false];
  const stop = () => clearTimeout(timer);
  element.addEventListener('contextmenu', event => {
    stop();
    // A menu that a keydown handler has opened already has the focus, so it gets the contextmenu event of the same key.
    if (open(event.target, { x: event.clientX, y: event.clientY })) event.preventDefault();
  });
  element.addEventListener('pointerdown', event => {
    stop();
    isHeld = false;
    if (event.pointerType !== 'touch' || !event.isPrimary) return;
    from = event;
    timer = setTimeout(() => { isHeld = open(from.target, { x: from.clientX, y: from.clientY }); }, HOLD);
  });
  element.addEventListener('pointermove',
    event => from && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) > SLIP && stop());
  for (const type of ['pointerup', 'pointercancel']) element.addEventListener(type, stop);
  // Lifting the finger that opened the menu must not press anything.
  element.addEventListener('click', event => {
    if (!isHeld) return;
    isHeld = false;
    event.preventDefault();
    event.stopPropagation();
  }, { capture: true });
}
