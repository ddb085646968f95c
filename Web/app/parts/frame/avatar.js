// The avatar of an account: its picture, or the standard one rotated to the account's hue.

import { h } from '../../core/page/dom.js';

export function avatar(account, size, hue = account.avatarHue ?? 0) {
  return h('img', {
    class: 'avatar',
    alt: '',
    width: size,
    height: size,
    src: account.avatar ?? '/app/img/avatar.svg',
    style: account.avatar ? {} : { filter: `hue-rotate(${hue}deg)` },
  });
}
