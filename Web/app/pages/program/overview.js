// What a program is, what to do next, its name, and who enters grades.

import { h } from '../../core/page/dom.js';
import { date, label, t } from '../../core/text/i18n.js';
import { Form } from '../../parts/frame/form.js';
import { help } from '../../parts/frame/help.js';
import { icon } from '../../parts/frame/icons.js';
import { entryPolicy, givenPolicy } from '../programs.js';
import { openSection } from './frame.js';

export const open = (app, { id }) => openSection(app, id, 'overview', async desk => {
  const cohort = desk.oversees ? (await app.http.get(`${desk.path}/cohort`)).body : null;
  const settings = settingsForm(desk);
  return {
    view: () => {
      const steps = nextSteps(desk);
      return [
        help('program'),
        desk.oversees && desk.program.stale > 0 && h('p', { class: 'card stale' },
          h('span', null, t('stale.line', { count: desk.program.stale })), ' ',
          h('a', { href: `/programs/${desk.id}/versions` }, t('stale.look'))),
        steps.length > 0 && next(desk, steps),
        facts(desk, cohort),
        desk.manages && h('section', { class: 'card' },
          h('h2', null, t('program.about')),
          settings.view([
            settings.text({ name: '/title', label: t('programs.name'), value: desk.program.title, className: 'text' }),
            entryPolicy(settings, desk.program.entry),
            givenPolicy(settings, desk.program.given),
          ], { action: t('action.save'), quiet: steps.length > 0 })),
      ];
    },
  };
});

const settingsForm = desk => new Form(desk.app.redraw, async data => {
  await desk.patch({ title: data.get('/title').trim(), entry: data.get('/entry'), given: data.get('/given') });
  desk.app.say(t('profile.saved'), 'good');
});

// The next steps; everything else is in the sections.
function nextSteps({ program, manages, keeps }) {
  return [
    manages && program.draft
      && ['versions', 'flask', t(program.version ? 'overview.publishDraft' : 'overview.publishFirst')],
    keeps && program.version && program.entry !== 'self' && ['results', 'pencil', t('overview.results')],
  ].filter(Boolean);
}

function next({ program, manages, id }, steps) {
  return [
    manages && program.draft && help('rehearsal'),
    h('ul', { class: 'steps' }, steps.map(([section, symbol, text], index) => h('li', { key: section },
      h('a', { class: `button ${index === 0 ? '' : 'quiet'}`, href: `/programs/${id}/${section}` },
        icon(symbol),
        text)))),
  ];
}

function facts({ program, scheme }, cohort) {
  const rows = [
    ['programs.scheme', label(scheme.title, scheme.id)],
    ['overview.inForce',
      program.version
        ? t('overview.version', { version: program.version, date: date(program.effectiveFrom) })
        : t('overview.nothingPublished')],
    ['programs.entry', t(`programs.entry.${program.entry}`)],
    ['programs.given', t(`programs.given.${program.given}`)],
    cohort && ['overview.recordCount', t('cohort.records', { count: cohort.records })],
    cohort && cohort.atRisk?.count > 0 && ['overview.atRisk', t('cohort.atRisk', { count: cohort.atRisk.count })],
  ].filter(Boolean);
  return h('section', { class: 'card' },
    h('h2', null, t('overview.facts')),
    h('dl', { class: 'facts-list' },
      rows.map(([key, text]) => h('div', { key }, h('dt', null, t(key)), h('dd', null, text)))),
    h('p', { class: 'hint' }, label(scheme.description)));
}
