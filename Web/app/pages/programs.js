// The programs of the institutions for which the user works: what is published, what is still a draft, and a new one.

import { h, named } from '../core/page/dom.js';
import { date, label, t } from '../core/text/i18n.js';
import { isAdministrator, registers } from '../core/net/session.js';
import { Form } from '../parts/frame/form.js';
import { dialog } from '../parts/frame/dialog.js';
import { help } from '../parts/frame/help.js';
import { icon } from '../parts/frame/icons.js';
import { presetName, presetsOf } from '../parts/rules/presets.js';
import { schemeImage } from '../parts/record/beginning.js';
import { signInInvitation } from '../parts/account/invitation.js';

export async function open(app) {
  const { state } = app.store;
  if (!state.account) return signInInvitation(t('programs.title'));
  const mine = new Set(state.memberships.filter(item => item.role !== 'student').map(item => item.institution));
  const institutions = (await app.catalogue.institutions()).filter(item => isAdministrator(state) || mine.has(item.id));
  // The user's own institutions come first, then those that the user may only look into.
  institutions.sort((a, b) => mine.has(b.id) - mine.has(a.id));
  const programs = new Map();
  await Promise.all(institutions.map(async item => programs.set(item.id, await app.catalogue.programs(item.id))));
  const schemes = new Map((await app.catalogue.schemes()).map(scheme => [scheme.id, scheme]));
  const page = {
    sheet: null,
    title: () => t('programs.title'),
    view: () => h('div', null,
      h('h1', { tabindex: '-1' }, t('programs.title')),
      help('program'),
      institutions.length === 0 && h('p', { class: 'empty' }, icon('programs'), t('programs.none')),
      institutions.map(item => section(app, page, item, programs.get(item.id), schemes)),
      page.sheet?.view()),
  };
  return page;
}

function section(app, page, institution, programs, schemes) {
  const mayManage = registers(app.store.state, { institution: institution.id });
  return h('section', { key: institution.id, class: 'institution' },
    h('div', { class: 'page-head' },
      h('h2', { class: 'grow' }, named(institution.title)),
      (mayManage
        || isAdministrator(app.store.state)) && h('a',
        { key: 'members', class: 'button quiet', href: `/institutions/${institution.id}/members` }, icon('people'),
        t('members.title')),
      mayManage && h('button', {
        key: 'new', class: 'button', type: 'button', onclick: () => create(app, page, institution, schemes),
      }, icon('plus'), t('programs.new'))),
    programs.length === 0 && h('p', { class: 'empty' }, icon('programs'), t('programs.empty')),
    h('ul', { class: 'record-list' }, programs.map(program => h('li', { key: program.id },
      h('a', { class: 'record-link', href: `/programs/${program.id}` },
        schemeImage(program.scheme, 44),
        h('span', { class: 'grow' },
          h('strong', null, named(program.title)),
          h('span', { class: 'muted' }, label(schemes.get(program.scheme)?.title, program.scheme))),
        h('span', { class: 'pill' }, program.version
          ? t('programs.version', {
            version: program.version, date: date(program.effectiveFrom),
          }) : t('programs.draft')))))));
}

function create(app, page, institution, schemes) {
  const list = [...schemes.values()];
  const details = new Map();
  let chosen = list[0].id;
  const close = () => {
    page.sheet = null;
    app.redraw();
  };
  const choose = async id => {
    chosen = id;
    if (!details.has(id)) {
      const scheme = await app.catalogue.scheme(id);
      details.set(id, {
        ...scheme, library: scheme.document ? (await app.http.get('/v1/regulations/library')).body.items : null,
      });
    }
    app.redraw();
  };
  const form = new Form(app.redraw, async data => {
    const body = {
      scheme: chosen, title: data.get('/title').trim(), entry: data.get('/entry'), preset: data.get('/preset'),
    };
    const from = data.get('/document');
    if (from === NOTHING) body.configuration = { document: emptyDocument(body.title) };
    else if (from) {
      body.configuration = { document: (await app.http.get(`/v1/regulations/library/${from}`)).body.document };
    }
    const answer = await app.http.post(`/v1/institutions/${institution.id}/programs`, body);
    app.go(`/programs/${answer.body.program.id}/${from ? 'regulation' : 'rules'}`);
  });
  page.sheet = {
    view: () => dialog({ key: 'new-program', title: t('programs.new'), close, className: 'sheet' }, form.view([
      form.text({ name: '/title', label: t('programs.name') }),
      form.field({ name: '/scheme', label: t('programs.scheme') },
        attributes => h('select', { ...attributes, onchange: event => choose(event.target.value) },
          list.map(scheme =>
            h('option', { value: scheme.id, selected: scheme.id === chosen }, label(scheme.title, scheme.id))))),
      details.get(chosen)?.library
        && form.field({ name: '/document', label: t('programs.document') }, attributes => h('select', attributes,
          details.get(chosen)
            .library.map(({ name, title }) => h('option', { key: name, value: name }, label(title, name))),
          h('option', { value: NOTHING }, t('programs.emptyDocument')))),
      details.has(chosen) && !details.get(chosen).library
        && form.field({ name: '/preset', label: t('calculator.preset') }, attributes => h('select', attributes,
          presetsOf(details.get(chosen)).map(preset =>
            h('option', { key: `${chosen}-${preset}`, value: preset }, presetName(details.get(chosen), preset))))),
      entryPolicy(form, 'self'),
    ], { action: t('programs.create'), cancel: close })),
  };
  choose(chosen);
}

// No document of the library has this name.
const NOTHING = '-';

// What every document begins with. A text of the language has no quotation marks in it.
const emptyDocument = title =>
  `# ${title}\n\n\`\`\`rules\nregulation program "${title.replaceAll('"', '’')}" language 1\n\`\`\`\n`;

/** Who may set figures and outcomes of a program's records by hand. */
export const givenPolicy = (form, current) =>
  form.field({ name: '/given', label: t('programs.given'), className: 'text' }, attributes => h('select', attributes,
    ['registrar', 'teacher'].map(policy =>
      h('option', { value: policy, selected: policy === current }, t(`programs.given.${policy}`)))));

/** Who enters grades in a program. */
export const entryPolicy = (form, current) =>
  form.field({ name: '/entry', label: t('programs.entry'), className: 'text' }, attributes => h('select', attributes,
    ['self', 'staff', 'both'].map(policy =>
      h('option', { value: policy, selected: policy === current }, t(`programs.entry.${policy}`)))));
