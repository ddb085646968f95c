// The installed schemes, for everybody.

import { clamped, h } from '../core/page/dom.js';
import { label, t, useTexts } from '../core/text/i18n.js';
import { SCHEME_TO_TRY, schemeImage } from '../parts/record/beginning.js';
import { icon } from '../parts/frame/icons.js';

export async function open(app) {
  const [list] = await Promise.all([app.catalogue.schemes(), useTexts('regulation')]);
  // If a scheme's rules are documents, there is nothing to calculate with until a program has one.
  const schemes = (await Promise.all(list.map(scheme => app.catalogue.scheme(scheme.id))))
    .filter(scheme => !scheme.document);
  return {
    title: () => t('explore.title'),
    wide: true,
    view: () => h('div', null,
      h('h1', { tabindex: '-1' }, t('explore.title')),
      h('p', { class: 'lead' }, t('explore.text')),
      h('ul', { class: 'scheme-list' },
        schemes.some(({ id }) => id === SCHEME_TO_TRY) && classCard(),
        schemes.map(scheme => h('li', { key: scheme.id },
          h('a', { class: 'scheme-link', href: `/explore/${scheme.id}` },
            schemeImage(scheme.id, 64),
            h('h2', null, clamped(label(scheme.title, scheme.id))),
            h('p', null, label(scheme.description)),
            h('span', { class: 'more' }, t('explore.try')))))),
      list.some(scheme => scheme.id === 'regulations') && h('p', { class: 'own-rules' },
        h('a', { href: '/regulations/try' }, t('regulation.tryLink'))),
      h('p', { class: 'own-rules' }, h('a', { href: '/docs' }, t('explore.api')))),
  };
}

// The way to a class that can be graded without an account.
const classCard = () => h('li', { key: 'class' },
  h('a', { class: 'scheme-link', href: '/explore/class' },
    icon('grid'),
    h('h2', null, t('tryClass.title')),
    h('p', null, t('tryClass.card')),
    h('span', { class: 'more' }, t('tryClass.open'))));
