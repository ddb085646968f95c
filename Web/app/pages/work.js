// What I work on, in one list: my records, the programs that I manage and the classes that I teach, the last change first.

import { h, named } from '../core/page/dom.js';
import { date, t, toInput } from '../core/text/i18n.js';
import { isRegistrar, isStaff, teaches } from '../core/net/session.js';
import { icon } from '../parts/frame/icons.js';
import { signInInvitation } from '../parts/account/invitation.js';
import { known } from './records.js';

export async function open(app) {
  const { account } = app.store.state;
  if (!account) return signInInvitation(t('work.title'));
  const topic = `records/${account.id}`;
  const state = { items: [], corrections: [] };
  const list = async path => (await app.http.get(path)).body.items;
  const read = async () => {
    [state.items, state.corrections] = await Promise.all([
      list('/v1/work?limit=100'), isRegistrar(app.store.state) ? list('/v1/corrections?limit=50') : [],
    ]);
    app.redraw();
  };
  await read();
  // A result that lands in a record moves it up.
  const unwatch = app.live.watch(topic);
  return {
    title: () => t('work.title'),
    view: () => page(app, state),
    onDocument: changed => changed === topic && read().catch(() => {}),
    close: unwatch,
  };
}

function page(app, { items, corrections }) {
  const { state } = app.store;
  return h('div', null,
    h('div', { class: 'page-head' },
      h('h1', { tabindex: '-1' }, t('work.title')),
      h('a', { class: 'button quiet', href: '/records' }, icon('records'), t('work.records')),
      teaches(state) && h('a', { key: 'classes', class: 'button quiet', href: '/classes' }, icon('grid'), t('nav.classes')),
      isStaff(state) && h('a', { key: 'programs', class: 'button quiet', href: '/programs' }, icon('programs'), t('nav.programs'))),
    corrections.length > 0 && h('section', { key: 'corrections', class: 'work-corrections' },
      h('h2', null, t('work.corrections')),
      h('ul', { class: 'record-list' }, corrections.map(correction))),
    h('p', { class: 'help' }, t('work.help')),
    items.length === 0 && h('p', { class: 'empty' }, icon('work'), t('work.none')),
    h('ul', { class: 'record-list' }, items.map(item => row(item))));
}

function correction({ id, class: taught, name, at, reason }) {
  return h('li', { key: `correction-${id}` },
    h('a', { class: 'record-link', href: `/classes/${taught.id}?corrections` },
      icon('pencil'),
      h('span', { class: 'grow' },
        h('strong', null, named(taught.title)),
        h('span', null, named(reason)),
        h('span', { class: 'muted' }, t('work.correction', { name: name ?? '–', date: date(at) })))));
}

const addresses = { record: '/records', program: '/programs', class: '/classes' };

function row(item) {
  const [figure] = Object.values(item.figures ?? {});
  return h('li', { key: `${item.kind}-${item.id}` },
    h('a', { class: 'record-link', href: `${addresses[item.kind]}/${item.id}` },
      item.kind === 'class' ? icon('grid') : h('img', { src: `/app/img/scheme-${known(item.scheme)}.svg`, alt: '', width: 44, height: 44 }),
      h('span', { class: 'grow' },
        h('strong', null, named(item.title)),
        h('span', { class: 'muted' }, t('work.changed', { kind: t(`work.kind.${item.kind}`), date: date(item.changedAt) }))),
      figure && h('span', { class: 'figure', 'data-band': figure.band ?? null }, toInput(figure.display) || '–'),
      item.state && h('span', { class: 'pill' }, t(`work.state.${item.state}`))));
}
