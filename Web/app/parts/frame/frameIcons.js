// The mark and the line icons of the frame around every page, these drawn on a 24-unit grid for this client.

import { h } from '../../core/page/dom.js';

/** An icon from its path; text beside it or the button's label says what it means. */
export const drawn = path => h('svg', {
  class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false',
}, h('path', { d: path }));

const paths = {
  records: 'M5 3h11l3 3v15H5z M9 9h6 M9 13h6 M9 17h4',
  search: 'M11 4a7 7 0 1 0 0 14a7 7 0 1 0 0-14 M16 16l5 5',
  work: 'M4 8h16v12H4z M9 8V4h6v4 M4 13h16',
  explore: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18 M15.5 8.5l-2 5l-5 2l2-5z',
  bell: 'M6 17v-6a6 6 0 0 1 12 0v6z M11 20h2',
  globe: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18 M3 12h18 M12 3c-5.3 5.5-5.3 12.5 0 18 M12 3c5.3 5.5 5.3 12.5 0 18',
  programs: 'M4 6h10 M18 6h2 M4 12h3 M11 12h9 M4 18h9 M17 18h3 M16 4v4 M9 10v4 M15 16v4',
  shield: 'M12 3l8 3v6c0 5-4 8-8 9c-4-1-8-4-8-9V6z M9 12l2.2 2.2L15.5 10',
  warning: 'M12 4l9 16H3z M12 10v4 M12 17v.5',
  grid: 'M4 5h16v14H4z M4 10h16 M4 14.5h16 M9.5 5v14 M15 5v14',
};

/** The mark of Gradecast, that of `icon.svg`: drawn here, it needs no request of its own. */
export const mark = size => h('svg', {
  viewBox: '0 0 512 512', width: size, height: size, 'aria-hidden': 'true', focusable: 'false',
},
  h('rect', { width: 512, height: 512, rx: 112, fill: '#0b5d4a' }),
  h('g', { fill: 'none', 'stroke-linecap': 'round', 'stroke-linejoin': 'round' },
    h('path', { d: 'M120 392L216 140l96 252M158 304h116', stroke: '#fdfcf6', 'stroke-width': 44 }),
    h('path', {
      d: 'M296 190a76 76 0 0 1 46 70M318 118a150 150 0 0 1 94 142', stroke: '#9be3c4', 'stroke-width': 34,
    })));

/** A decorative icon of the frame; null for any other name. */
export const icon = name => (name in paths ? drawn(paths[name]) : null);
