// The face of an account: its picture, or the standard one turned to the account's hue.

import { h } from '../core/dom.js';

export function avatar(account, size, hue = account.avatarHue ?? 0) {
  const picture = account.avatar ?? account.picture;
  return h('img', {
    class: 'avatar',
    alt: '',
    width: size,
    height: size,
    src: picture ? (typeof picture === 'string' ? picture : `/v1/accounts/${account.id}/avatar`) : '/app/img/avatar.svg',
    style: picture ? {} : { filter: `hue-rotate(${hue}deg)` },
  });
}
