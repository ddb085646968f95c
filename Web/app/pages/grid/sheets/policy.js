// How late and missing work counts in the class.

import { h } from '../../../core/page/dom.js';
import { sentences, t, toInput } from '../../../core/text/i18n.js';
import { fromInput } from '../../../core/text/numbers.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { Form } from '../../../parts/frame/form.js';
import { change, rehearse } from './changes.js';

const NONE = { late: null, missing: { percent: null, automatic: false } };
const PERIODS = ['hour', 'day', 'once'];
const MEMBERS = ['per', 'percent', 'grace', 'floor', 'cap', 'automatic'];

/** The sheet for this policy; it shows the effect of a change before it is made. */
export function policySheet(desk) {
  const policy = desk.taught.structure.policy ?? NONE;
  const state = { per: policy.late?.per ?? '', asked: null, effect: null };
  const form = new Form(desk.redraw, async data => {
    const step = { op: 'policy', policy: changedOf(policyOf(data), policy) };
    const asked = JSON.stringify(step);
    if (state.asked !== asked) {
      state.effect = await rehearse(desk, step);
      state.asked = asked;
      return;
    }
    const close = desk.sheets.closing();
    const undo = await change(desk, step);
    close();
    desk.app.say(t('late.saved'), 'good', undo);
  });
  const other = () => {
    if (state.asked === null) return;
    state.asked = null;
    desk.redraw();
  };
  return () => dialog({ key: 'policy', title: t('late.title'), close: desk.sheets.close, className: 'sheet' },
    form.view(h('div', { class: 'policy', oninput: other },
      lateInputs(form, state, policy.late, desk),
      missingInputs(form, policy.missing),
      h('p', { key: 'shown', class: 'help' }, t('late.shown')), effectText(state)), {
      action: t(state.asked === null ? 'late.preview' : 'action.save'), cancel: desk.sheets.close,
    }));
}

function lateInputs(form, state, late, desk) {
  const choose = event => {
    state.per = event.target.value;
    desk.redraw();
  };
  return [
    form.field({ name: '/policy/late/per', label: t('late.per') },
      attributes => h('select', { ...attributes, onchange: choose },
        ['', ...PERIODS].map(value =>
          h('option', { key: value, value, selected: value === state.per }, t(`late.per.${value || 'none'}`))))),
    state.per !== '' && [
      percent(form, 'late/percent', t('late.percent'), late?.percent ?? '', t('late.percentHint')),
      form.text({
        name: '/policy/late/grace', label: t('late.grace'), hint: t('late.graceHint'), value: String(late?.grace ?? 0),
        inputmode: 'numeric',
      }),
      percent(form, 'late/floor', t('late.floor'), late?.floor ?? '0', t('late.floorHint')),
      percent(form, 'late/cap', t('late.cap'), late?.cap ?? '100', null),
      h('p', { key: 'where', class: 'help' }, t('late.where')),
    ],
  ];
}

const missingInputs = (form, missing) => [
  percent(form, 'missing/percent', t('late.missing'), missing.percent ?? '', t('late.missingHint')),
  form.field({ name: '/policy/missing/automatic', label: t('late.automatic'), hint: t('late.automaticHint') },
    attributes =>
      h('input', { ...attributes, type: 'checkbox', checked: missing.automatic })),
];

const percent = (form, name, label, value, hint) =>
  form.text({ name: `/policy/${name}`, label, hint, value: value === '' ? '' : toInput(value), inputmode: 'decimal' });

const effectText = ({ asked, effect }) => asked !== null && h('p', { key: 'effect', class: 'banner', role: 'status' },
  sentences([t('late.effect', { count: effect.changed }),
    effect.refused > 0 && t('late.refused', { count: effect.refused })]));

// Unchanged parts are not sent, because another teacher may have changed them meanwhile.
const changedOf = (policy, before) =>
  Object.fromEntries(Object.entries(policy).filter(([name, half]) => !isSame(half, before[name])));

const isSame = (one, other) => MEMBERS.every(name => String(one?.[name] ?? '') === String(other?.[name] ?? ''));

function policyOf(data) {
  const text = name => fromInput(String(data.get(`/policy/${name}`) ?? ''));
  const shares = Object.fromEntries(['floor', 'cap'].map(name =>
    [name, text(`late/${name}`)]).filter(([, value]) => value !== ''));
  const grace = text('late/grace');
  const per = data.get('/policy/late/per');
  return {
    late: per === ''
      ? null
      : {
        per, percent: text('late/percent') || null,
        ...(grace === '' ? {} : { grace: /^\d{1,9}$/.test(grace) ? Number(grace) : grace }), ...shares,
      },
    missing: { percent: text('missing/percent') || null, automatic: data.has('/policy/missing/automatic') },
  };
}
