// The groups of a class in their sets: their members, and one result for all members of a group.

import { h, named } from '../../../core/page/dom.js';
import { t } from '../../../core/text/i18n.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { Form } from '../../../parts/frame/form.js';
import { icon } from '../../../parts/frame/icons.js';
import { problemText } from '../../../parts/frame/problem.js';
import { takesNumbers } from '../columns.js';

const membersOf = (desk, group) =>
  byName(desk, [...desk.model.rows.values()].filter(({ groups }) => groups.includes(group.id)));
const byName = (desk, rows) => rows.sort(desk.model.compareStudents);
const setsOf = desk => [...new Set(desk.permissions.groups.map(({ set }) => set))];

/** The sheet with all groups. */
export function groupsSheet(desk) {
  return () => dialog({ key: 'groups', title: t('group.many'), close: desk.sheets.close, className: 'sheet' },
    h('p', { class: 'help' }, t('group.help')),
    setsOf(desk).map(set => [
      h('h3', { key: `set-${set}` }, named(set)),
      h('ul', { key: `groups-${set}`, class: 'rows' },
        desk.permissions.groups.filter(group => group.set === set).map(group => h('li', { key: group.id },
          h('span', { class: 'grow' },
            h('strong', null, named(group.title)),
            h('span', { class: 'muted' }, t('people.students', { count: membersOf(desk, group).length }))),
          h('button', {
            class: 'round', type: 'button', 'aria-label': t('group.edit', { title: group.title }),
            onclick: () => desk.sheets.open(groupSheet(desk, group)),
          }, icon('pencil'))))),
    ]),
    h('div', { class: 'actions' },
      h('button', { class: 'button', type: 'button', onclick: () => desk.sheets.open(groupSheet(desk, null)) },
        icon('plus'),
        t('group.new'))));
}

function groupSheet(desk, group) {
  const back = () => desk.sheets.open(groupsSheet(desk));
  const members = new Set(group ? membersOf(desk, group).map(({ id }) => id) : []);
  const form = new Form(desk.redraw, async data => {
    const close = desk.sheets.closing(back);
    const title = data.get('/title').trim();
    let id = group?.id;
    if (!group) {
      id = (await desk.app.http.post(`${desk.path}/groups`, { set: data.get('/set').trim(), title })).body.group.id;
    }
    else if (title !== group.title) await desk.app.http.patch(`${desk.path}/groups/${id}`, { title });
    await regroup(desk, id, members, new Set(data.getAll('/members')));
    await learn(desk);
    close();
  });
  const remove = async () => {
    const close = desk.sheets.closing(back);
    try {
      await desk.app.http.delete(`${desk.path}/groups/${group.id}`);
      await learn(desk);
      close();
    } catch (error) {
      desk.app.say(problemText(error), 'bad');
    }
  };
  return () => dialog({
    key: `group-${group?.id ?? 'new'}`, title: group ? t('group.edit', { title: group.title }) : t('group.new'),
    close: back, className: 'sheet',
  },
    form.view([
      !group
        && form.text({
          name: '/set', label: t('group.set'), hint: t('group.setHint'), maxlength: 200, required: true,
          autocomplete: 'off', list: 'group-sets',
        }),
      !group && h('datalist', { id: 'group-sets' }, setsOf(desk).map(set => h('option', { key: set, value: set }))),
      form.text({
        name: '/title', label: t('group.name'), value: group?.title ?? '', maxlength: 200, required: true,
        autocomplete: 'off',
      }),
      choices(desk, t('group.members'), byName(desk, [...desk.model.rows.values()]), id => members.has(id)),
    ], {
      action: t('action.save'), cancel: back,
      more: group && h('button', { class: 'button quiet danger', type: 'button', onclick: remove }, t('action.delete')),
    }));
}

const choices = (desk, title, rows, isChosen) => h('fieldset', { key: 'members', class: 'group-members' },
  h('legend', null, title),
  rows.map(row => h('label', { key: row.id, class: 'choice' },
    h('input', { type: 'checkbox', name: '/members', value: row.id, checked: isChosen(row.id) }),
    named(desk.model.nameOf(row)))));

async function regroup(desk, id, before, after) {
  const join = [...after].filter(row => !before.has(row));
  const leave = [...before].filter(row => !after.has(row));
  if (join.length + leave.length === 0) return;
  const { body } = await desk.app.http.post(`${desk.path}/groups/${id}/members`, { join, leave });
  desk.entry.did(body.group);
}

async function learn(desk) {
  await desk.lookAtClass();
  await desk.rows.read();
}

/** The sheet that enters one result for the members of a group, except those who are left out. */
export function groupMarkSheet(desk, column) {
  let chosen = desk.permissions.groups.find(({ id }) => id === desk.group) ?? desk.permissions.groups[0];
  const form = new Form(desk.redraw, data => {
    const wanted = new Set(data.getAll('/members'));
    const text = String(data.get('/value')).trim();
    desk.entry.enterAll(membersOf(desk, chosen).filter(({ id }) => wanted.has(id)).map(row => ({ row, column, text })));
    desk.sheets.close();
  });
  return () => dialog({
    key: `group-mark-${column.key}`, title: t('group.markTitle', { title: column.title }), close: desk.sheets.close,
    className: 'sheet',
  },
    form.view([
      form.field({ name: '/group', label: t('group.title') }, attributes => h('select', {
        ...attributes, onchange: event => {
          chosen = desk.permissions.groups.find(({ id }) => id === event.target.value);
          desk.redraw();
        },
      }, setsOf(desk).map(set => h('optgroup', { key: set, label: set },
        desk.permissions.groups.filter(group => group.set === set)
          .map(({ id, title }) => h('option', { key: id, value: id, selected: id === chosen.id }, title)))))),
      form.text({
        name: '/value', label: t('group.result'), required: true, autocomplete: 'off',
        inputmode: takesNumbers(column) ? 'decimal' : null,
      }),
      h('div', { key: chosen.id }, choices(desk, t('group.markMembers'), membersOf(desk, chosen), () => true)),
    ], { action: t('group.enter'), cancel: desk.sheets.close }));
}
