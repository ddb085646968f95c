// One line of the timeline: a sentence for its type, its subject, and its time.

import { h, named } from '../../core/page/dom.js';
import { delayText } from '../../core/text/delays.js';
import { dateTime, has, label, t, toInput } from '../../core/text/i18n.js';
import { statusText } from '../../core/text/statuses.js';
import { avatar } from '../../parts/frame/avatar.js';
import { icon } from '../../parts/frame/icons.js';
import { problemText } from '../../parts/frame/problem.js';
import { figureName, outcomeName } from '../../parts/record/figureNames.js';
import { sharedView } from '../../parts/record/sharedView.js';

const icons = {
  'record.started': 'plus', 'grade.entered': 'pencil', 'figure.changed': 'chart', 'result.released': 'eye',
  'outcome.reached': 'target', 'program.published': 'programs', 'membership.granted': 'key',
  'announcement.made': 'people',
  'result.corrected': 'pencil', 'correction.requested': 'pencil', 'correction.decided': 'pencil',
  'comment.received': 'comment', 'class.reopened': 'unlock',
};

export function line(app, lines, item) {
  const friend = item.type === 'friend.headline' ? lines.shared(item.record.id) : undefined;
  // What a friend no longer shares disappears at once.
  if (friend === null) return null;
  const address = addressOf(item);
  return h('li', { key: item.id, class: lines.isUnread(item) ? 'card line unread' : 'card line' },
    item.person ? avatar(item.person, 40) : h('span', { class: 'line-sign' }, icon(icons[item.type] ?? 'history')),
    h('div', { class: 'grow' },
      h('p', { class: 'line-text' },
        lines.isUnread(item) && h('span', { class: 'visually-hidden' }, t('timeline.isUnread'), ' '),
        address ? h('a', { href: address }, sentence(item)) : sentence(item)),
      item.announcement && h('p', { class: 'line-announcement' }, named(item.announcement.text)),
      item.correction?.reason && h('p', { class: 'line-announcement' }, named(item.correction.reason)),
      results(item),
      figures(lines, item),
      item.outcomes && h('p', { class: 'muted' },
        item.outcomes.map(name => outcomeText(lines, item, name)).join(' · ')),
      friend && sharedView(schemeOf(lines, item), friend),
      h('p', { class: 'muted line-facts' },
        h('time', { datetime: item.at }, dateTime(item.at)),
        item.count > 1 && [' · ', t('timeline.count', { count: item.count })],
        item.by && [' · ', t('timeline.by', { name: item.by.displayName })])),
    withdraw(app, item));
}

/** The sentence of a line; types that this page does not know have a sentence, too. */
export function sentence(item) {
  const asks = item.type === 'person.followed' && item.state === 'requested';
  const others = item.others > 0 ? '.others' : '';
  const decision = item.type === 'correction.decided' ? `.${item.correction.state}` : '';
  const key = `timeline.type.${item.type}${asks ? '.requested' : ''}${decision}${others}`;
  return t(has(key) || has(`${key}.other`) ? key : 'timeline.type.unknown', {
    program: (item.results && item.result?.class) ?? item.program?.title ?? '',
    institution: item.institution?.title ?? '', person: item.person?.displayName ?? '',
    class: item.result?.class ?? item.class?.title ?? '', role: item.role ? t(`timeline.role.${item.role}`) : '',
    ...(item.others > 0 ? { count: item.others } : {}),
  });
}

function addressOf(item) {
  if (item.person) return `/people/${item.person.id}`;
  if (item.result) return `/records/${item.record.id}/classes/${item.result.entry}`;
  if (item.class) return `/classes/${item.class.id}${item.correction ? '?corrections' : ''}`;
  return item.record ? `/records/${item.record.id}` : null;
}

// The content of a cell: the result out of the best one, the name of its status, and how late the work was.
function side(value, best) {
  if (!value) return '–';
  const result = value.value !== null
    && (best ? `${toInput(label(value.value))} / ${toInput(best)}` : toInput(label(value.value)));
  const status = value.status && (value.statusLabel ? label(value.statusLabel) : statusText(value.status));
  return [result, status, value.late && t('history.late', { delay: delayText(value.late) })].filter(Boolean).join(', ');
}

function results({ results: changed, moreResults, result }) {
  if (!changed) return null;
  // The sentence names the class if there is only one; otherwise each result does.
  const titleOf = (taught, name) => named(result ? label(name) : `${taught} › ${label(name)}`);
  return h('dl', { class: 'line-figures' },
    changed.map(({ class: taught, entry, line: id, label: name, best, before, after }) =>
      h('div', { key: `${entry}/${id}/${label(name)}` },
        h('dt', null, titleOf(taught, name)),
        h('dd', null,
          before && [h('del', null, named(side(before, best))), h('span', { 'aria-hidden': 'true' }, ' → ')],
          h('ins', null, named(side(after, best)))))),
  moreResults > 0 && h('div', { key: 'more' }, h('dt', null, t('timeline.moreResults', { count: moreResults }))));
}

function figures(lines, item) {
  if (!item.figures) return null;
  const scheme = schemeOf(lines, item);
  return h('dl', { class: 'line-figures' }, item.figures.map(({ name, from, to }) => h('div', { key: name },
    h('dt', null, named(scheme ? figureName(scheme, name) : name)),
    h('dd', null,
      from && [h('del', null, toInput(from)), h('span', { 'aria-hidden': 'true' }, ' → ')],
      h('ins', null, to ? toInput(to) : '–')))));
}

const schemeOf = (lines, { program }) => lines.schemes.get(program?.id) ?? null;

const outcomeText = (lines, item, name) => {
  const scheme = schemeOf(lines, item);
  return scheme ? outcomeName(scheme, name) : name;
};

// Registrars can withdraw announcements of their institutions.
function withdraw(app, item) {
  const isMine = item.announcement && app.store.state.memberships
    .some(({ role, institution }) => role === 'registrar' && (institution.id ?? institution) === item.institution?.id);
  if (!isMine) return null;
  const act = async () => {
    try {
      await app.http.delete(`/v1/institutions/${item.institution.id}/announcements/${item.announcement.id}`);
      app.say(t('timeline.withdrawn'), 'good');
    } catch (error) {
      app.say(problemText(error), 'bad');
    }
  };
  return h('button', { class: 'round', type: 'button', 'aria-label': t('timeline.withdraw'), onclick: act },
    icon('trash'));
}
