// Results of many students at once: imported from a file, hidden if wished, and released together.

import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { Form } from '../parts/form.js';
import { icon } from '../parts/icons.js';
import { ResultForm } from '../parts/resultForm.js';
import { ResultImport, importCard } from '../parts/resultImport.js';
import { Sweeps, sweepList } from '../parts/sweeps.js';

export async function open(app, { id }) {
  const program = await app.catalogue.program(id);
  const results = new ResultImport(app, id);
  const form = new ResultForm(app, results.send);
  const releases = new Sweeps(app, `/v1/programs/${id}/releases`);
  const release = releaseForm(app, id, releases);
  await releases.load();
  return {
    wide: true,
    title: () => t('results.title'),
    view: () => h('div', { class: 'program' },
      h('div', { class: 'page-head' },
        h('a', { class: 'round', href: `/programs/${id}`, 'aria-label': t('action.back') }, icon('back')),
        h('h1', { tabindex: '-1' }, `${program.title} – ${t('results.title')}`)),
      program.entry === 'self'
        ? h('p', { class: 'empty' }, t('results.selfEntered'))
        : [
          h('section', { class: 'card', key: 'import' }, h('h2', null, t('results.import')), form.view()),
          importCard(results),
          releaseCard(release, releases),
        ]),
    close: () => {
      results.close();
      releases.close();
    },
  };
}

const releaseForm = (app, id, releases) => new Form(app.redraw, async data => {
  const path = data.get('/path').split('/').map(step => step.trim()).filter(step => step !== '');
  await app.http.post(`/v1/programs/${id}/release`, path.length > 0 ? { path } : {});
  await releases.load();
});

function releaseCard(form, releases) {
  return h('section', { class: 'card', key: 'release' },
    h('h2', null, t('results.release')),
    h('p', { class: 'muted' }, t('results.releaseText')),
    form.view(form.text({ name: '/path', label: t('results.path'), hint: t('results.pathHint'), className: 'text' }), { action: t('results.releaseAction') }),
    sweepList(releases, item => (item.path.length > 0 ? item.path.join(' / ') : t('results.everything'))));
}
