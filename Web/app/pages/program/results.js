// Results of many students at once: previewed before they are entered, hidden if wished, and released together.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { ReleasePanel } from '../../parts/program/release.js';
import { ResultForm } from '../../parts/results/resultForm.js';
import { ResultImport, importCard } from '../../parts/results/resultImport.js';
import { ResultPreview } from '../../parts/results/resultPreview.js';
import { openSection } from './frame.js';

export const open = (app, { id }) => openSection(app, id, 'results', async desk => {
  if (desk.program.entry === 'self') return { view: () => h('p', { class: 'empty' }, t('results.selfEntered')) };
  const release = new ReleasePanel(desk);
  const results = new ResultImport(app, desk.id, () => release.load());
  const preview = new ResultPreview(desk, results);
  const form = new ResultForm(app, preview.ask, () => preview.forget());
  await release.load();
  return {
    view: () => [
      h('section', { class: 'card', key: 'import' }, h('h2', null, t('results.import')), form.view()),
      preview.view(),
      importCard(results, desk.scheme),
      release.view(),
    ],
    close: () => {
      results.close();
      release.close();
    },
  };
}, desk => desk.keeps && Boolean(desk.program.version));
