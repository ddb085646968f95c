// The classes of a program that the user may read, and a new one.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { icon } from '../../parts/frame/icons.js';
import { classList } from '../classes.js';
import { newClassSheet } from '../grid/sheets/newClass.js';
import { openSection } from './frame.js';

export const open = (app, { id }) => openSection(app, id, 'classes', async desk => {
  const items = [];
  for (let path = `/v1/classes?program=${encodeURIComponent(desk.id)}&limit=200`; path;) {
    const { body, next } = await app.http.get(path);
    items.push(...body.items);
    path = next;
  }
  const close = () => {
    desk.sheet = null;
    app.redraw();
  };
  // Programs in which students enter everything themselves have no classes.
  const makes = desk.keeps && desk.program.version && desk.program.entry !== 'self';
  const make = () => {
    desk.sheet = newClassSheet(app, desk.program, desk.scheme, close);
    app.redraw();
  };
  return {
    view: () => [
      h('p', { class: 'help' }, t('classes.help')),
      makes && h('div', { class: 'actions' },
        h('button', { class: 'button', type: 'button', onclick: make }, icon('plus'), t('classes.new'))),
      items.length === 0 && h('p', { class: 'empty' }, icon('grid'), t('classes.noneHere')),
      classList(items, item => t('classes.lines', { count: item.structure.lines.length - 1 })),
    ],
  };
});
