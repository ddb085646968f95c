// The avatar of an account: its picture, or the standard one, which is drawn in the page and rotated to the account's
// hue.

import { h } from '../../core/page/dom.js';

export function avatar(account, size, hue = account.avatarHue ?? 0) {
  const look = { class: 'avatar', width: size, height: size };
  if (account.avatar) return h('img', { ...look, alt: '', src: account.avatar });
  return h('svg', {
    ...look, viewBox: '0 0 128 128', 'aria-hidden': 'true', focusable: 'false',
    style: { filter: `hue-rotate(${hue}deg)` },
  },
    h('rect', { width: 128, height: 128, fill: '#c2452f' }),
    h('path', { d: 'M0 96c28-26 92-40 128-16v48H0z', fill: '#e8795c' }),
    h('circle', { cx: 64, cy: 52, r: 24, fill: '#ffe9de' }),
    h('path', { d: 'M20 128c2-30 22-44 44-44s42 14 44 44z', fill: '#ffe9de' }));
}
