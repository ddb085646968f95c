// The members of an institution with their roles; invitations by one-time link.

import { h, named } from '../core/page/dom.js';
import { date, t } from '../core/text/i18n.js';
import { listedName, personOf } from '../core/text/names.js';
import { registers } from '../core/net/session.js';
import { Form } from '../parts/frame/form.js';
import { confirmation, dialog } from '../parts/frame/dialog.js';
import { icon } from '../parts/frame/icons.js';
import { problemText } from '../parts/frame/problem.js';
import { signInOffer } from '../parts/account/provider.js';

const roles = ['student', 'teacher', 'registrar'];

export async function open(app, { id }) {
  const { body: { institution } } = await app.http.get(`/v1/institutions/${id}`);
  const base = `/v1/institutions/${institution.id}`;
  const programs = await app.catalogue.programs(institution.id);
  // An administrator appoints an institution's registrars and leaves the rest to them.
  const keeps = registers(app.store.state, { institution: institution.id });
  const offered = keeps ? roles : ['registrar'];
  const state = {
    app, base, institution, programs, keeps, offered, members: [], invitations: [], generation: 0, link: null,
    sheet: null, invited: offered[0],
  };
  state.sendsMail = (await signInOffer(app))?.mail;
  await reload(state);
  const form = invitationForm(state);
  return {
    wide: true,
    title: () => t('members.title'),
    view: () => h('div', { class: 'program' },
      h('div', { class: 'page-head' },
        h('a', { class: 'round', href: '/programs', 'aria-label': t('action.back') }, icon('back')),
        h('h1', { tabindex: '-1', class: 'grow' }, named(institution.title), ` – ${t('members.title')}`),
        h('a', { key: 'terms', class: 'button quiet', href: `/institutions/${institution.id}/terms` },
          t('terms.title')),
        h('a', { key: 'services', class: 'button quiet', href: `/institutions/${institution.id}/services` },
          t('services.title')),
        h('a', { key: 'webhooks', class: 'button quiet', href: `/institutions/${institution.id}/webhooks` },
          t('webhooks.title'))),
      h('p', { class: 'help' }, t('members.intro'), ' ', t('members.introRoles')),
      state.members.length === 0
        ? h('p', { class: 'empty' }, icon('people'), t('members.none'))
        : h('section', { class: 'card' }, list(state)),
      invitations(state, form),
      state.keeps && settings(state),
      state.sheet?.view()),
  };
}

async function reload(state) {
  const members = [];
  for (let path = `${state.base}/members?limit=200`; path;) {
    const { body, next } = await state.app.http.get(path);
    members.push(...body.items);
    path = next;
  }
  state.members = members;
  state.invitations = (await state.app.http.get(`${state.base}/invitations`)).body.items;
  state.generation += 1;
  state.app.redraw();
}

async function attempt(state, action) {
  try {
    await action();
  } catch (error) {
    state.app.say(problemText(error), 'bad');
  }
  await reload(state);
}

function list(state) {
  return h('ul', { class: 'rows members' }, state.members.map(member => h('li', { key: member.account },
    h('span', { class: 'grow' },
      h('strong', null, named(member.displayName)),
      h('span', { class: 'muted' }, named(member.login)),
      member.givenName && member.familyName
        && h('span', { key: 'names', class: 'muted' }, named(listedName(personOf(member), 'last'))),
      member.studentNumber && h('span', { key: 'number', class: 'muted' },
        t('members.numbered', { number: member.studentNumber })),
      origin(member)),
    offeredTo(state, member),
    state.keeps
      ? h('select', {
        // A chosen role is only an offer until it is accepted: the list shows the current role.
        key: `role-${state.generation}`, 'aria-label': t('members.roleOf', { name: member.displayName }),
        onchange: event => become(state, member, event.target.value),
      }, roles.map(role => h('option', { value: role, selected: role === member.role }, roleText(role, member.role))))
      : [
        h('span', { key: 'pill', class: 'pill' }, t(`role.${member.role}`)),
        member.role === 'teacher' && h('button', {
          key: 'appoint', class: 'button quiet small', type: 'button',
          onclick: () => become(state, member, 'registrar'),
        }, t('members.appoint')),
      ],
    state.keeps && h('button', {
      key: 'number', class: 'button quiet small', type: 'button',
      'aria-label': t('members.numberOf', { name: member.displayName }), onclick: () => number(state, member),
    }, t('members.number')),
    (state.keeps || member.role === 'registrar') && isGiven(member) && h('button', {
      class: 'round danger', type: 'button', 'aria-label': t('members.remove', { name: member.displayName }),
      onclick: () => remove(state, member),
    }, icon('trash')),
    state.keeps && member.role === 'teacher' && programsOf(state, member))));
}

// What people granted can be taken back; what a provider's rule grants ends when the provider no longer says it.
const isGiven = member => member.grants.some(grant => grant.by !== 'rule');

// The origin of a membership, unless it was simply granted by hand.
const origin = member => member.grants.filter(grant => grant.by !== 'hand')
  .map(grant => h('span', { class: 'muted', key: `${grant.by}-${grant.rule?.claim}-${grant.rule?.equals}` },
    grant.by === 'invitation'
      ? t('members.byInvitation', { date: date(grant.since) })
      : t('members.byRule', {
        role: t(`role.${grant.role}`), rule: `${grant.rule.claim} = ${grant.rule.equals}`, date: date(grant.until),
      })));

// A role that was offered to the person and is not accepted yet.
function offeredTo(state, member) {
  const offer = state.invitations.find(item => item.account === member.account && item.role !== member.role);
  return offer && h('span', { key: 'offered', class: 'pill' },
    t('members.offeredRole', { role: t(`role.${offer.role}`) }));
}

const roleText = (role, current) =>
  (roles.indexOf(role) > roles.indexOf(current) ? t('members.offer', { role: t(`role.${role}`) }) : t(`role.${role}`));

// A higher role begins when the person accepts it; a lower one applies at once.
const become = (state, member, role) => attempt(state, async () => {
  const { status } = await state.app.http.put(`${state.base}/members/${member.account}`,
    place(state, role, member.programs));
  const about = { name: member.displayName, role: t(`role.${role}`) };
  state.app.say(t(status === 202 ? 'members.offered' : 'members.changed', about), 'good');
});

// A teacher for whom no programs are chosen gets all of them; the registrar can take some away.
const place = (state, role, programs) =>
  (role === 'teacher'
    ? { role, programs: programs.length > 0 ? programs : state.programs.map(program => program.id) }
    : { role });

function programsOf(state, member) {
  return h('fieldset', { class: 'checks' },
    h('legend', null, t('members.programs')),
    state.programs.map(program => h('label', { key: program.id },
      h('input', {
        type: 'checkbox', checked: member.programs.includes(program.id),
        onchange: event => attempt(state, () => state.app.http.put(`${state.base}/members/${member.account}`, {
          role: 'teacher',
          programs: state.programs.map(item => item.id)
            .filter(id => (id === program.id ? event.target.checked : member.programs.includes(id))),
        })),
      }), named(program.title))));
}

const show = (state, view) => {
  state.sheet = view && { view };
  state.app.redraw();
};

/** Sets or removes the student number of a member. */
function number(state, member) {
  const close = () => show(state, null);
  const form = new Form(state.app.redraw, async data => {
    await state.app.http.put(`${state.base}/members/${member.account}/student-number`, {
      studentNumber: data.get('/studentNumber').trim() || null,
    });
    close();
    await reload(state);
  });
  show(state, () => dialog({ key: 'number', title: t('members.numberOf', { name: member.displayName }), close },
    form.view([
      form.text({
        name: '/studentNumber', label: t('members.number'), hint: t('members.numberHint'),
        value: member.studentNumber ?? '', maxlength: 64, autofocus: true,
      }),
    ], { action: t('members.numberSave'), className: 'stacked' })));
}

function remove(state, member) {
  const close = () => show(state, null);
  show(state, () => confirmation({
    key: member.account, title: t('members.remove', { name: member.displayName }),
    text: t('members.removeText', { name: member.displayName }),
    action: t('members.removeAction'), close,
    confirm: () => {
      close();
      attempt(state, () => state.app.http.delete(`${state.base}/members/${member.account}`));
    },
  }));
}

const invitationForm = state => new Form(state.app.redraw, async data => {
  const email = data.get('/email')?.trim();
  const offer = place(state, data.get('/role'), data.getAll('/programs'));
  const { body } = await state.app.http.post(`${state.base}/invitations`, email ? { ...offer, email } : offer);
  const { url, token } = body.invitation;
  state.link = url ?? `${location.origin}/invitation#${token}`;
  if (email) state.app.say(t('members.mailed', { address: email }), 'good');
  await reload(state);
});

function invitations(state, form) {
  return h('section', { class: 'card' },
    h('h2', null, t('members.invite')),
    form.view([
      form.field({ name: '/role', label: t('members.role') }, attributes => h('select', {
        ...attributes,
        onchange: event => {
          state.invited = event.target.value;
          state.app.redraw();
        },
      }, state.offered.map(role => h('option', { value: role, selected: role === state.invited }, t(`role.${role}`))))),
      state.invited === 'teacher' && h('fieldset', { key: 'programs', class: 'checks' },
        h('legend', null, t('members.programs')),
        state.programs.map(program => h('label', { key: program.id },
          h('input', { type: 'checkbox', name: '/programs', value: program.id, checked: true }),
          named(program.title)))),
      state.sendsMail && form.text({
        name: '/email', label: t('members.email'), hint: t('members.emailHint'), type: 'email', autocomplete: 'off',
        maxlength: 254,
      }),
    ], { action: t('members.inviteAction') }),
    state.link && h('p', { class: 'link-once', role: 'status' },
      t('members.linkOnce'),
      h('br'),
      h('code', null, state.link)),
    h('ul', { class: 'rows' }, state.invitations.map(item => h('li', { key: item.id },
      h('span', { class: 'grow' },
        h('strong', null,
          item.account
            ? t('members.invited', { name: nameOf(state, item.account), role: t(`role.${item.role}`) })
            : t(`role.${item.role}`)),
        h('span', { class: 'muted' }, t('members.until', { date: date(item.expiresAt) }))),
      h('button', {
        class: 'button quiet small', type: 'button',
        onclick: () => attempt(state, () => state.app.http.delete(`${state.base}/invitations/${item.id}`)),
      }, t('members.withdraw'))))));
}

// Settings that apply to everybody in the institution.
function settings(state) {
  const change = async setting => {
    const { body } = await state.app.http.patch(state.base, setting);
    state.institution = body.institution;
    state.app.say(t('profile.saved'), 'good');
  };
  return h('section', { class: 'card', key: 'settings' },
    h('h2', null, t('members.settings')),
    h('div', { class: 'field boolean' },
      h('label', { for: 'keeps-reading' }, t('members.keepsReading')),
      h('input', {
        id: 'keeps-reading', type: 'checkbox', 'aria-describedby': 'keeps-reading-hint',
        checked: state.institution.keepsReading,
        onchange: event => attempt(state, () => change({ keepsReading: event.target.checked })),
      }),
      h('p', { class: 'hint', id: 'keeps-reading-hint' }, t('members.keepsReadingHint'))),
    h('div', { class: 'field boolean' },
      h('label', { for: 'sharing' }, t('members.sharing')),
      h('input', {
        id: 'sharing', type: 'checkbox', 'aria-describedby': 'sharing-hint',
        checked: state.institution.sharing === 'allowed',
        onchange: event => attempt(state, () => change({ sharing: event.target.checked ? 'allowed' : 'none' })),
      }),
      h('p', { class: 'hint', id: 'sharing-hint' }, t('members.sharingHint'))),
    h('div', { class: 'field boolean' },
      h('label', { for: 'second-factor' }, t('members.secondFactor')),
      h('input', {
        id: 'second-factor', type: 'checkbox', 'aria-describedby': 'second-factor-hint',
        checked: state.institution.secondFactor === 'staff',
        onchange: event => attempt(state, () => change({ secondFactor: event.target.checked ? 'staff' : 'none' })),
      }),
      h('p', { class: 'hint', id: 'second-factor-hint' }, t('members.secondFactorHint'))),
    h('div', { class: 'field' },
      h('label', { for: 'time-zone' }, t('members.timeZone')),
      h('select', {
        id: 'time-zone', 'aria-describedby': 'time-zone-hint',
        onchange: event => attempt(state, () => change({ timeZone: event.target.value })),
      }, timeZones(state.institution.timeZone).map(zone =>
        h('option', { key: zone, value: zone, selected: zone === state.institution.timeZone }, zone))),
      h('p', { class: 'hint', id: 'time-zone-hint' }, t('members.timeZoneHint'))));
}

// The browser's list lacks UTC, and may have another name than the server for a zone.
const timeZones = chosen => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), chosen])].sort();

const nameOf = (state, account) => state.members.find(member => member.account === account)?.displayName
  ?? t('members.someone');
