// The search as a page: for phones, for long lists, and as an address that users can keep.

import { h } from '../core/page/dom.js';
import { t } from '../core/text/i18n.js';
import { icon } from '../parts/frame/icons.js';
import { problemCard } from '../parts/frame/problem.js';
import { createFinder } from '../parts/search/finder.js';
import { addressOf, found } from '../parts/search/results.js';

export async function open(app) {
  const asked = new URLSearchParams(location.search).get('q') ?? '';
  const finder = createFinder(app, () => app.redraw());
  finder.look(asked, { now: true });
  const type = typed => {
    finder.look(typed);
    history.replaceState(null, '', finder.text === '' ? '/search' : `/search?q=${encodeURIComponent(finder.text)}`);
  };
  return {
    title: () => t('nav.search'),
    view: () => h('div', { class: 'search-page' },
      h('h1', { tabindex: '-1' }, t('nav.search')),
      h('form', { role: 'search', onsubmit: event => event.preventDefault() },
        h('input', {
          type: 'search', class: 'search-box', name: 'q', 'aria-label': t('search.label'),
          placeholder: t('search.label'), initial: asked,
          autocomplete: 'off', spellcheck: 'false', maxlength: '100', oninput: event => type(event.target.value),
        })),
      body(app, finder)),
    close: () => finder.close(),
  };
}

function body(app, finder) {
  const { groups, isBusy, problem, text } = finder;
  if (problem) return problemCard(problem, finder.retry);
  return [
    h('p', { key: 'state', class: 'muted found-state', role: 'status' },
      isBusy ? t('state.loading') : groups?.length === 0 ? t('search.none') : ''),
    text === '' && h('p', { key: 'hint', class: 'empty' },
      icon('search'),
      t(app.store.state.account ? 'search.hint' : 'search.guest')),
    (groups ?? []).map(group => h('section', { key: group.kind, 'aria-labelledby': `kind-${group.kind}` },
      h('h2', { id: `kind-${group.kind}` }, t(`search.kind.${group.kind}`)),
      h('ul', { class: 'record-list' }, group.items.map(item => h('li', { key: item.id },
        h('a', { class: 'record-link', href: addressOf(app.store.state, group.kind, item) },
          found(group.kind, item))))),
      group.next && h('button', { class: 'button quiet', type: 'button', onclick: () => finder.more(group) },
        t('action.more')))),
  ];
}
