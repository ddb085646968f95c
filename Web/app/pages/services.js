// The service accounts of an institution, as which programs act, with their secrets and tokens. An administrator sees
// them and can end them.

import { h, named } from '../core/page/dom.js';
import { t } from '../core/text/i18n.js';
import { registers } from '../core/net/session.js';
import { confirmation, dialog } from '../parts/frame/dialog.js';
import { Form } from '../parts/frame/form.js';
import { icon } from '../parts/frame/icons.js';
import { problemText } from '../parts/frame/problem.js';
import { scopeChoice, scopeText, SERVICE_SCOPES, serviceSecrets, serviceTokens } from '../parts/account/tokens.js';

const LONGEST_NAME = 60;
const ROLES = ['teacher', 'registrar'];

export async function open(app, { id }) {
  const { body: { institution } } = await app.http.get(`/v1/institutions/${id}`);
  const path = `/v1/institutions/${institution.id}/service-accounts`;
  const programs = await app.catalogue.programs(institution.id);
  // `opened` has the secrets and tokens of the accounts that are expanded, by their ids.
  const keeps = registers(app.store.state, { institution: institution.id });
  const state = { app, path, programs, keeps, accounts: [], opened: new Map(), sheet: null };
  await reload(state);
  return {
    wide: true,
    title: () => t('services.title'),
    within: '/programs',
    view: () => h('div', { class: 'program' },
      h('div', { class: 'page-head' },
        h('a', { class: 'round', href: `/institutions/${institution.id}/members`, 'aria-label': t('action.back') },
          icon('back')),
        h('h1', { tabindex: '-1', class: 'grow' }, named(institution.title), ` – ${t('services.title')}`),
        keeps && h('button', { class: 'button', type: 'button', onclick: () => edit(state) },
          icon('plus'),
          t('services.create'))),
      h('p', { class: 'help' }, t('services.intro')),
      state.accounts.length === 0 && h('p', { class: 'empty' }, icon('programs'), t('services.none')),
      state.accounts.map(account => card(state, account)),
      state.sheet?.()),
  };
}

async function reload(state) {
  state.accounts = (await state.app.http.get(state.path)).body.items;
  state.app.redraw();
}

function show(state, sheet) {
  state.sheet = sheet;
  state.app.redraw();
}

function card(state, account) {
  const parts = state.opened.get(account.id);
  const titles = state.programs.filter(program => account.programs.includes(program.id)).map(program => program.title);
  return h('section', { class: 'card service', key: account.id },
    h('div', { class: 'page-head' },
      h('h2', { class: 'grow' }, named(account.name)),
      state.keeps && h('button', {
        class: 'button quiet small', type: 'button', 'aria-label': t('services.editOne', { name: account.name }),
        onclick: () => edit(state, account),
      }, t('services.edit')),
      h('button', {
        class: 'button quiet small danger', type: 'button', 'aria-label': t('services.endOne', { name: account.name }),
        onclick: () => end(state, account),
      }, t('services.end'))),
    h('p', null, h('span', { class: 'pill' }, t(`role.${account.role}`)), ' ', named(titles.join(' · '))),
    h('p', { class: 'muted' }, account.scopes.map(scopeText).join(' · ')),
    h('p', null, t('services.client'), ' ', h('code', { class: 'secret' }, account.id)),
    state.keeps && h('button', {
      class: 'button quiet small', type: 'button', 'aria-expanded': parts ? 'true' : 'false',
      'aria-label': t(parts ? 'services.closeOne' : 'services.openOne', { name: account.name }),
      onclick: () => unfold(state, account),
    }, t(parts ? 'services.close' : 'services.open')),
    parts && h('div', { key: 'parts', class: 'service-parts' }, parts.map(part => part.view())));
}

async function unfold(state, account) {
  if (state.opened.delete(account.id)) return state.app.redraw();
  const path = `${state.path}/${account.id}`;
  const scopes = () => state.accounts.find(item => item.id === account.id)?.scopes ?? [];
  const parts = [serviceSecrets(state.app, path), serviceTokens(state.app, path, scopes)];
  try {
    await Promise.all(parts.map(part => part.load()));
    state.opened.set(account.id, parts);
  } catch (error) {
    state.app.say(problemText(error), 'bad');
  }
  state.app.redraw();
}

/** Creates a service account, or changes one. */
function edit(state, account = null) {
  const close = () => show(state, null);
  let role = account?.role ?? ROLES[0];
  const form = new Form(state.app.redraw, async data => {
    const body = {
      name: data.get('/name').trim(), role, scopes: data.getAll('/scopes'),
      programs: role === 'teacher' ? data.getAll('/programs') : [],
    };
    const { http } = state.app;
    const { body: answer } = account
      ? await http.patch(`${state.path}/${account.id}`, body)
      : await http.post(state.path, body);
    close();
    await reload(state);
    if (!account) await unfold(state, answer.serviceAccount);
  });
  const title = account ? t('services.editOne', { name: account.name }) : t('services.create');
  // Scopes that the page does not offer stay as they are.
  const scopes = [...SERVICE_SCOPES, ...(account?.scopes ?? []).filter(scope => !SERVICE_SCOPES.includes(scope))];
  show(state, () => dialog({ key: 'service', title, close },
    form.view([
      form.text({
        name: '/name', label: t('token.name'), hint: t('services.nameHint'), value: account?.name,
        maxlength: LONGEST_NAME, autofocus: true, required: true,
      }),
      form.field({ name: '/role', label: t('services.role'), hint: t('services.roleHint') }, attributes => h('select', {
        ...attributes,
        onchange: event => {
          role = event.target.value;
          state.app.redraw();
        },
      }, ROLES.map(item => h('option', { key: item, value: item, selected: item === role }, t(`role.${item}`))))),
      role === 'teacher' && h('fieldset', { key: 'programs', class: 'checks' },
        h('legend', null, t('members.programs')),
        state.programs.map(program => h('label', { key: program.id },
          h('input', {
            type: 'checkbox', name: '/programs', value: program.id,
            checked: account?.programs.includes(program.id) ?? false,
          }),
          named(program.title)))),
      scopeChoice(scopes, account?.scopes, t('services.scopes')),
    ], { action: account ? t('services.save') : t('services.create'), className: 'stacked' })));
}

function end(state, account) {
  show(state, () => confirmation({
    key: 'service', title: t('token.endTitle', { name: account.name }), text: t('services.endText'),
    action: t('services.end'),
    close: () => show(state, null),
    confirm: async () => {
      show(state, null);
      try {
        await state.app.http.delete(`${state.path}/${account.id}`);
        state.opened.delete(account.id);
        await reload(state);
      } catch (error) {
        state.app.say(problemText(error), 'bad');
      }
    },
  }));
}
