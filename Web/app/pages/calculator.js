// A calculation with a scheme, for guests: the same views as for records, but everything stays on this page.

import { clamped, h } from '../core/page/dom.js';
import { label, t } from '../core/text/i18n.js';
import { CalculatorBook } from '../core/data/book.js';
import { viewFor } from '../schemes/views.js';
import { Desk } from '../parts/record/desk.js';
import { presetName, presetsOf } from '../parts/rules/presets.js';
import { icon } from '../parts/frame/icons.js';

export async function open(app, { scheme: id }) {
  const scheme = await app.catalogue.scheme(id);
  const view = await viewFor(scheme);
  const presets = presetsOf(scheme);
  const book = new CalculatorBook(app, scheme, { preset: presets[0] ?? 'default' });
  await book.start();
  const desk = new Desk(app, book, scheme);
  return {
    wide: view.wide ?? false,
    title: () => label(scheme.title, id),
    view: () => h('div', { class: 'record' },
      h('div', { class: 'page-head' },
        h('a', { class: 'round', href: '/explore', 'aria-label': t('action.back') }, icon('back')),
        h('h1', { tabindex: '-1' }, clamped(label(scheme.title, id))),
        presets.length > 1 && presetChoice(desk, book, presets),
        !book.isEmpty && h('button', {
          class: 'button quiet small', type: 'button', onclick: () => startOver(app, desk, book),
        }, t('calculator.again'))),
      h('div', { class: 'banner guest', role: 'note' },
        h('p', { class: 'grow' }, t(app.store.state.account ? 'calculator.text' : 'calculator.guest')),
        app.store.state.account
          ? h('a', { class: 'button quiet', href: '/records' }, t('nav.records'))
          : h('a', { class: 'button quiet', href: `/sign-up?next=${encodeURIComponent(app.store.state.path)}` },
            t('signUp.action'))),
      view.draw(desk),
      desk.sheet?.view()),
  };
}

const startOver = (app, desk, book) => desk.attempt(async () => {
  const takeBack = await book.clear();
  app.redraw();
  app.say(t('calculator.cleared'), 'info', () => desk.attempt(takeBack));
});

function presetChoice(desk, book, presets) {
  return h('label', { class: 'inline' }, t('calculator.preset'),
    h('select', { onchange: event => desk.attempt(() => book.judge({ preset: event.target.value })) },
      presets.map(preset =>
        h('option', { value: preset, selected: preset === book.rules.preset }, presetName(book.scheme, preset)))));
}
