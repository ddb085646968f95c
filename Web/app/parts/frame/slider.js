// A slider that shows its position on its track.

import { h } from '../../core/page/dom.js';

/** `attributes` are those of the input; `value` is a number or its text. */
export function slider({ min, max, value, class: name = null, ...attributes }) {
  const share = Math.min(1, Math.max(0, (Number(value) - min) / (max - min) || 0));
  return h('input', {
    ...attributes, class: name, type: 'range', min, max, value: String(value), style: { '--at': `${share * 100}%` },
  });
}
