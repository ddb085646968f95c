// One program: its name, who enters grades, and its configuration as a form made from the scheme's own schema. What is
// saved is the one open draft; it is rehearsed over every record before it is published as the next version.

import { h } from '../core/dom.js';
import { date, dateTime, label, t } from '../core/i18n.js';
import { keeps, registers } from '../core/session.js';
import { Form } from '../parts/form.js';
import { icon } from '../parts/icons.js';
import { publishCard, publishForm, sinceCard } from '../parts/publish.js';
import { Rehearsals, rehearsalCard } from '../parts/rehearsal.js';
import { Sweeps, sweepList } from '../parts/sweeps.js';
import { learnMembers } from '../parts/students.js';
import { presetName, presetsOf } from '../parts/presets.js';
import { faultText, problemText } from '../parts/problem.js';
import { schemaFields } from '../parts/schemaForm.js';
import { entryPolicy } from './programs.js';

export async function open(app, { id }) {
  const [{ body, place }, versions] = await Promise.all([
    app.http.get(`/v1/programs/${id}`), app.http.get(`/v1/programs/${id}/versions`)]);
  const scheme = await app.catalogue.scheme(body.program.scheme);
  const state = { program: body.program, place, versions: versions.body.items, warnings: [], generation: 0, value: null, since: null };
  const reset = () => {
    state.value = structuredClone(state.program.draft?.configuration ?? newest(state.program) ?? scheme.configuration.defaults);
    state.generation += 1;
  };
  reset();
  const forms = { about: aboutForm(app, state), rules: rulesForm(app, state), publish: publishForm(app.redraw, body => publish(app, state, body)) };
  state.moves = new Sweeps(app, `/v1/programs/${id}/moves`);
  state.rehearsals = new Rehearsals(app, id);
  const manages = registers(app.store.state, state.program);
  if (manages) await prepare(app, state);
  return {
    wide: true,
    title: () => state.program.title,
    view: () => h('div', { class: 'program' },
      heading(app, state, scheme),
      manages
        ? [about(forms.about, state), rules(app, forms.rules, state, scheme, reset), trial(forms.publish, state, scheme)]
        : h('p', { class: 'muted' }, t('program.readOnly')),
      since(app, state, scheme),
      moves(state),
      history(app, state, reset)),
    close: () => {
      state.rehearsals.close();
      state.moves.close();
    },
  };
}

// Only registrars rehearse and publish; what they find is listed by the students' names.
async function prepare(app, state) {
  const [members] = await Promise.all([
    learnMembers(app, state.program.institution), state.rehearsals.load(), state.moves.load()]);
  state.members = members;
}

function heading(app, { program }, scheme) {
  return h('div', { class: 'page-head' },
    h('a', { class: 'round', href: '/programs', 'aria-label': t('action.back') }, icon('back')),
    h('h1', { tabindex: '-1' }, program.title),
    h('p', { class: 'page-facts' },
      h('span', { class: 'pill' }, label(scheme.title, scheme.id)),
      program.version && h('span', { class: 'pill' }, t('programs.version', { version: program.version, date: date(program.effectiveFrom) })),
      program.draft && h('span', { class: 'pill' }, t('program.draftSince', { at: dateTime(program.draft.editedAt) }))),
    (keeps(app.store.state, program) || 'draft' in program) && [
      h('a', { key: 'records', class: 'button quiet', href: `/programs/${program.id}/records` }, icon('records'), t('program.records')),
      h('a', { key: 'cohort', class: 'button quiet', href: `/programs/${program.id}/cohort` }, icon('chart'), t('cohort.title')),
      keeps(app.store.state, program) && program.version && h('a', { key: 'results', class: 'button quiet', href: `/programs/${program.id}/results` }, icon('pencil'), t('results.title')),
    ]);
}

async function patch(app, state, body) {
  const answer = await app.http.patch(`/v1/programs/${state.program.id}`, body, { match: state.place });
  state.program = answer.body.program;
  state.place = answer.place;
  state.warnings = answer.body.warnings ?? [];
  app.catalogue.forgetProgram(state.program.id);
  app.say(t('profile.saved'), 'good');
}

const aboutForm = (app, state) => new Form(app.redraw, data =>
  patch(app, state, { title: data.get('/title').trim(), entry: data.get('/entry') }));

function about(form, { program }) {
  return h('section', { class: 'card' },
    h('h2', null, t('program.about')),
    form.view([form.text({ name: '/title', label: t('programs.name'), value: program.title }), entryPolicy(form, program.entry)], { action: t('action.save') }));
}

const rulesForm = (app, state) => new Form(app.redraw, () => patch(app, state, { configuration: state.value }));

function rules(app, form, state, scheme, reset) {
  const start = preset => {
    state.value = structuredClone(scheme.configuration.presets[preset]);
    state.generation += 1;
    app.redraw();
  };
  return h('section', { class: 'card', key: `rules-${state.generation}` },
    h('div', { class: 'page-head' },
      h('h2', { class: 'grow' }, t('program.rules')),
      h('span', { class: 'muted' }, t('program.startFrom')),
      presetsOf(scheme).map(preset => h('button', { key: preset, class: 'button quiet small', type: 'button', onclick: () => start(preset) }, presetName(scheme, preset)))),
    state.warnings.length > 0 && h('ul', { class: 'warnings', role: 'status' }, state.warnings.map(warning =>
      h('li', null, icon('warning'), h('span', null, `${warning.path.replace('/configuration/', '')}: ${faultText(warning)}`)))),
    form.view(schemaFields(form, scheme, state.value, app.redraw), {
      action: t('program.saveDraft'),
      cancel: () => {
        reset();
        app.redraw();
      },
    }));
}

function trial(form, { program, rehearsals, members }, scheme) {
  if (!program.draft) return null;
  return [rehearsalCard(rehearsals, program, scheme, members), rehearsals.covers(program) && publishCard(form, program)];
}

async function publish(app, state, body) {
  const { digest } = state.rehearsals.current;
  const answer = await app.http.post(`/v1/programs/${state.program.id}/publish`, { digest, ...body }, { match: state.place });
  state.program = answer.body.program;
  state.place = answer.place;
  state.rehearsals.forget();
  app.catalogue.forgetProgram(state.program.id);
  state.since = answer.body.since.records > 0 ? answer.body.since : null;
  app.say(t('publish.done', { count: answer.body.since.records }), 'good');
  state.versions = (await app.http.get(`/v1/programs/${state.program.id}/versions`)).body.items;
  await state.moves.load();
}

function since(app, state, scheme) {
  return state.since && sinceCard(state.since, scheme, state.members, () => {
    state.since = null;
    app.redraw();
  });
}

function moves({ moves: sweeps }) {
  if (sweeps.items.length === 0) return null;
  return h('section', { class: 'card' },
    h('h2', null, t('program.moves')),
    sweepList(sweeps, item => t('program.move', { version: item.version })));
}

// A draft begins as a copy of the newest version, also while that waits for its day.
const newest = program => program.waiting?.at(-1)?.configuration ?? program.configuration;

function history(app, state, reset) {
  const { versions, program } = state;
  if (versions.length === 0) return null;
  const waits = item => program.waiting?.some(version => version.version === item.version);
  return h('section', { class: 'card' },
    h('h2', null, t('program.versions')),
    h('ul', { class: 'rows' }, versions.map(item => h('li', { key: item.version },
      h('strong', null, t('programs.version', { version: item.version, date: date(item.effectiveFrom) })),
      h('span', { class: 'muted' }, t('program.publishedAt', { at: dateTime(item.publishedAt) })),
      waits(item) && h('span', { class: 'pill' }, t('sweep.waiting', { date: date(item.effectiveFrom) })),
      waits(item) && registers(app.store.state, program) && h('button', {
        class: 'button quiet small', type: 'button', onclick: () => withdraw(app, state, item.version, reset),
      }, t('program.withdraw', { version: item.version }))))));
}

async function withdraw(app, state, version, reset) {
  try {
    const answer = await app.http.delete(`/v1/programs/${state.program.id}/versions/${version}`, { match: state.place });
    state.program = answer.body.program;
    state.place = answer.place;
    app.catalogue.forgetProgram(state.program.id);
    state.versions = (await app.http.get(`/v1/programs/${state.program.id}/versions`)).body.items;
    await state.moves.load();
    reset();
  } catch (problem) {
    app.say(problemText(problem), 'bad');
  }
  app.redraw();
}
