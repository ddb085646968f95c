// All line icons, including those of the frame, for the pages that need more of them.

import { drawn, icon as ofFrame } from './frameIcons.js';

const paths = {
  person: 'M12 4a4 4 0 1 0 0 8a4 4 0 1 0 0-8 M4 21c0-4 4-6 8-6s8 2 8 6',
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
  cap: 'M2 9l10-5l10 5l-10 5z M6 11.5V17c2 2 10 2 12 0v-5.5 M22 9v6',
  eye: 'M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7z M12 9a3 3 0 1 0 0 6a3 3 0 1 0 0-6',
  eyeOff: 'M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7z M4 20L20 4',
  back: 'M15 5l-7 7l7 7',
  menu: 'M4 7h16 M4 12h16 M4 17h16',
  download: 'M12 4v11 M7 11l5 5l5-5 M4 20h16',
  upload: 'M12 15V4 M7 9l5-5l5 5 M4 20h16',
  out: 'M14 4H5v16h9 M10 12h11 M17 8l4 4l-4 4',
  chart: 'M4 20V4 M4 20h16 M8 16v-5 M12 16V8 M16 16v-7',
  sortUp: 'M7 19V5 M3.5 8.5L7 5l3.5 3.5 M13 7h4 M13 12h6 M13 17h8',
  sortDown: 'M7 5v14 M3.5 15.5L7 19l3.5-3.5 M13 7h8 M13 12h6 M13 17h4',
  comment: 'M4 5h16v11H10l-4 4v-4H4z',
  people: 'M9 5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7 M2 20c0-3.5 3.5-5 7-5s7 1.5 7 5'
    + ' M16 5.5a3.5 3.5 0 0 1 0 6.5 M18 15.5c2.5.6 4 2 4 4.5',
};

/** A decorative icon; text beside it or the button's label says what it means. */
export const icon = name => ofFrame(name) ?? drawn(paths[name]);
