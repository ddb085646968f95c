// A swipe from right to left deletes a row. There is always a button that does the same; swiping is a shortcut for
// touch.

import { h } from '../../core/page/dom.js';

const FAR = 72;

// The current swipe. Its row may be drawn again meanwhile.
let start = null;

export function swipeable({ enabled, label, act }, content) {
  if (!enabled) return content;
  const slide = (element, distance) => element.style.setProperty('--swipe', `${Math.min(0, distance)}px`);
  const settle = (element, event) => {
    if (!start) return;
    const far = event.clientX - start.x < -FAR;
    start = null;
    element.classList.remove('swiping');
    slide(element, 0);
    if (far) act();
  };
  return h('div', {
    class: 'swipe',
    onpointerdown: event => {
      if (event.isPrimary && event.button === 0) start = { x: event.clientX, y: event.clientY, moving: false };
    },
    onpointermove: event => {
      if (!start) return;
      const across = event.clientX - start.x;
      if (!start.moving && Math.abs(across) > 8 && Math.abs(across) > Math.abs(event.clientY - start.y)) {
        start.moving = true;
        event.currentTarget.classList.add('swiping');
        event.currentTarget.setPointerCapture(event.pointerId);
      }
      if (start.moving) slide(event.currentTarget, across);
    },
    onpointerup: event => settle(event.currentTarget, event),
    onpointercancel: event => {
      start = null;
      event.currentTarget.classList.remove('swiping');
      slide(event.currentTarget, 0);
    },
  }, h('span', { class: 'swipe-label', 'aria-hidden': 'true' }, label), h('div', { class: 'swipe-content' }, content));
}
