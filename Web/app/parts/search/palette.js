// The command palette: one box that finds things and leads to pages, by the keyboard alone.

import { h } from '../../core/page/dom.js';
import { useStyles } from '../../core/page/styles.js';
import { t, useTexts } from '../../core/text/i18n.js';
import { searchable } from '../../core/text/names.js';
import { isAdministrator, isStaff, isUnfinished, teaches } from '../../core/net/session.js';
import { dialog } from '../frame/dialog.js';
import { icon } from '../frame/icons.js';
import { problemText } from '../frame/problem.js';
import { createFinder } from './finder.js';
import { addressOf, found } from './results.js';


// The pages to which the user may go, with their icons.
function pages(state) {
  return [
    state.account && ['/work', 'work', t('nav.work')],
    state.account && ['/timeline', 'bell', t('nav.timeline')],
    state.account && ['/records', 'records', t('nav.records')],
    teaches(state) && ['/classes', 'grid', t('nav.classes')],
    isStaff(state) && ['/programs', 'programs', t('nav.programs')],
    isAdministrator(state) && ['/admin', 'shield', t('nav.admin')],
    ['/explore', 'explore', t('nav.explore')],
    state.account && ['/people', 'people', t('search.friends')],
    ['/profile', 'person', t(state.account ? 'nav.profile' : 'nav.look')],
    state.account && ['/security', 'lock', t('search.security')],
    !state.account && ['/sign-in', 'key', t('signIn.action')],
    ['/search', 'search', t('search.page')],
  ].filter(Boolean);
}

/** Opens the palette over whatever page is shown. */
export async function openPalette(app) {
  if (app.palette || isUnfinished(app.store.state)) return;
  app.palette = () => null;
  try {
    await Promise.all([useTexts('search'), useStyles('search')]);
  } catch (problem) {
    app.palette = null;
    app.say(problemText(problem), 'bad');
    return;
  }
  const state = { app, chosen: 0, finder: createFinder(app, () => app.redraw()) };
  const close = () => {
    state.finder.close();
    app.palette = null;
    app.redraw();
  };
  app.palette = () => draw(state, close);
  app.redraw();
}

function options(state) {
  const { finder, app } = state;
  const wanted = searchable(finder.text);
  const leads = pages(app.store.state).filter(([, , text]) => searchable(text).includes(wanted))
    .map(([href, symbol, text]) =>
      ({ key: href, group: 'pages', href, content: [icon(symbol), h('span', { class: 'grow' }, text)] }));
  const things = (finder.groups ?? []).flatMap(({ kind, items }) => items.map(item => ({
    key: `${kind}-${item.id}`, group: kind, href: addressOf(app.store.state, kind, item), content: found(kind, item),
  })));
  const all = finder.text === ''
    ? null
    : [{
      key: 'all', group: 'all', href: `/search?q=${encodeURIComponent(finder.text)}`,
      content: [icon('search'), h('span', { class: 'grow' }, t('search.all'))],
    }];
  return [...things, ...leads, ...all ?? []];
}

function draw(state, close) {
  const { finder, app } = state;
  const list = options(state);
  state.chosen = Math.min(state.chosen, Math.max(0, list.length - 1));
  const id = option => `found-${option.key}`;
  const go = option => {
    close();
    app.go(option.href);
  };
  const move = step => {
    state.chosen = (state.chosen + step + list.length) % Math.max(1, list.length);
    app.redraw();
  };
  const keys = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => list[state.chosen] && go(list[state.chosen]),
  };
  return dialog({ key: 'palette', title: t('nav.search'), close, className: 'palette' },
    h('input', {
      type: 'search', role: 'combobox', class: 'search-box', 'aria-label': t('search.label'),
      placeholder: t('search.label'),
      autocomplete: 'off', spellcheck: 'false', maxlength: '100', 'aria-expanded': 'true', 'aria-controls': 'found',
      'aria-autocomplete': 'list',
      'aria-activedescendant': list[state.chosen] ? id(list[state.chosen]) : null,
      oninput: event => {
        state.chosen = 0;
        finder.look(event.target.value);
      },
      onkeydown: event => {
        if (event.isComposing || !(event.key in keys)) return;
        event.preventDefault();
        keys[event.key]();
      },
    }),
    status(finder),
    h('ul', { id: 'found', role: 'listbox', class: 'found', 'aria-label': t('search.results') },
      list.map((option, index) => [
        option.group !== list[index - 1]?.group && option.group !== 'all' && h('li', {
          key: `of-${option.group}`, role: 'presentation', class: 'found-kind',
        }, t(`search.kind.${option.group}`)),
        h('li', {
          key: option.key, id: id(option), role: 'option', 'aria-selected': String(index === state.chosen),
          class: 'found-item',
          onclick: () => go(option),
        }, option.content),
      ])));
}

function status(finder) {
  if (finder.problem) {
    return h('p', { class: 'alert', role: 'alert' }, problemText(finder.problem), ' ',
      h('button', { class: 'link', type: 'button', onclick: finder.retry }, t('action.retry')));
  }
  const isNothing = finder.groups?.length === 0 && !finder.isBusy;
  return h('p', { class: 'muted found-state', role: 'status' },
    finder.isBusy ? t('state.loading') : isNothing ? t('search.none') : '');
}
