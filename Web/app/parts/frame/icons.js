// Line icons, drawn on a 24-unit grid for this client.

import { h } from '../../core/page/dom.js';

const paths = {
  records: 'M5 3h11l3 3v15H5z M9 9h6 M9 13h6 M9 17h4',
  explore: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18 M15.5 8.5l-2 5l-5 2l2-5z',
  globe: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18 M3 12h18 M12 3c-5.3 5.5-5.3 12.5 0 18 M12 3c5.3 5.5 5.3 12.5 0 18',
  person: 'M12 4a4 4 0 1 0 0 8a4 4 0 1 0 0-8 M4 21c0-4 4-6 8-6s8 2 8 6',
  programs: 'M4 6h10 M18 6h2 M4 12h3 M11 12h9 M4 18h9 M17 18h3 M16 4v4 M9 10v4 M15 16v4',
  shield: 'M12 3l8 3v6c0 5-4 8-8 9c-4-1-8-4-8-9V6z M9 12l2.2 2.2L15.5 10',
  plus: 'M12 5v14 M5 12h14',
  trash: 'M4 7h16 M9 7V4h6v3 M6 7l1 14h10l1-14 M10 11v6 M14 11v6',
  pencil: 'M4 20l1-4L16 5l3 3L8 19z M14 7l3 3',
  key: 'M8 9a5 5 0 1 0 0 10a5 5 0 1 0 0-10 M11.5 10.5L20 2 M16 6l3 3',
  lock: 'M6 11h12v9H6z M8 11V8a4 4 0 0 1 8 0v3',
  unlock: 'M6 11h12v9H6z M8 11V8a4 4 0 0 1 7.5-2',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12 M18 6L6 18',
  why: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4 M12 17.5v.5 M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18',
  flask: 'M9 3h6 M10 3v6L5 19a1.5 1.5 0 0 0 1.4 2h11.2a1.5 1.5 0 0 0 1.4-2L14 9V3 M7.5 15h9',
  target: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18 M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8 M12 12v.01',
  history: 'M4 12a8 8 0 1 1 2.3 5.6 M4 20v-4h4 M12 8v4l3 2',
  warning: 'M12 4l9 16H3z M12 10v4 M12 17v.5',
  cap: 'M2 9l10-5l10 5l-10 5z M6 11.5V17c2 2 10 2 12 0v-5.5 M22 9v6',
  eye: 'M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7z M12 9a3 3 0 1 0 0 6a3 3 0 1 0 0-6',
  eyeOff: 'M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7z M4 20L20 4',
  back: 'M15 5l-7 7l7 7',
  menu: 'M4 7h16 M4 12h16 M4 17h16',
  download: 'M12 4v11 M7 11l5 5l5-5 M4 20h16',
  out: 'M14 4H5v16h9 M10 12h11 M17 8l4 4l-4 4',
  chart: 'M4 20V4 M4 20h16 M8 16v-5 M12 16V8 M16 16v-7',
  people: 'M9 5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7 M2 20c0-3.5 3.5-5 7-5s7 1.5 7 5 M16 5.5a3.5 3.5 0 0 1 0 6.5 M18 15.5c2.5.6 4 2 4 4.5',
};

/** A decorative icon; what it stands for is said in text beside it or in the button's label. */
export function icon(name) {
  return h('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false' },
    h('path', { d: paths[name] }));
}
