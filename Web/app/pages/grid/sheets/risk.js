// Which students of the class are at risk, and which results are low, by rules of the class.

import { h } from '../../../core/page/dom.js';
import { label, t, toInput } from '../../../core/text/i18n.js';
import { fromInput } from '../../../core/text/numbers.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { Form } from '../../../parts/frame/form.js';
import { change, rehearse } from './changes.js';

const RULES = ['figure', 'bar', 'below', 'outOfReach', 'share', 'missing'];

/** The sheet for these rules; it shows how many students they affect before they are saved. */
export function riskSheet(desk) {
  const { risk = null, low = null } = desk.taught.structure.policy ?? {};
  const state = { figure: risk?.figure ?? '', asked: null, effect: null };
  const form = new Form(desk.redraw, async data => {
    // What is unchanged is not sent, because another teacher may have changed it meanwhile.
    const [rules, bound] = [rulesOf(data), boundOf(data)];
    const step = {
      op: 'policy',
      policy: { ...(isSame(rules, risk) ? {} : { risk: rules }), ...(bound === low ? {} : { low: bound }) },
    };
    const asked = JSON.stringify(step);
    if (state.asked !== asked) {
      state.effect = await rehearse(desk, step);
      state.asked = asked;
      return;
    }
    const close = desk.sheets.closing();
    const undo = await change(desk, step);
    close();
    desk.app.say(t('risk.saved'), 'good', undo);
  });
  const other = () => {
    if (state.asked === null) return;
    state.asked = null;
    desk.redraw();
  };
  const choose = event => {
    state.figure = event.target.value;
    desk.redraw();
  };
  return () => dialog({ key: 'risk', title: t('risk.title'), close: desk.sheets.close, className: 'sheet' },
    h('p', { class: 'help' }, t('risk.help')),
    form.view(h('div', { class: 'policy', oninput: other },
      form.field({ name: '/policy/risk/figure', label: t('risk.figure') },
        attributes => h('select', { ...attributes, onchange: choose },
          ['', ...desk.taught.figures.map(({ name }) => name)].map(name =>
            h('option', { key: name, value: name, selected: name === state.figure }, titleOf(desk, name))))),
      state.figure !== '' && targetInputs(form, risk?.figure ? risk : null),
      form.text({
        name: '/policy/risk/missing', label: t('risk.missing'), hint: t('risk.missingHint'),
        value: String(risk?.missing ?? ''), inputmode: 'numeric',
      }),
      form.text({
        name: '/policy/low', label: t('view.low'), hint: t('risk.lowHint'), value: low === null ? '' : toInput(low),
        inputmode: 'decimal',
      }),
      state.asked !== null && h('p', { key: 'effect', class: 'banner', role: 'status' },
        t('risk.effect', { count: state.effect.atRisk.after }))), {
      action: t(state.asked === null ? 'late.preview' : 'action.save'), cancel: desk.sheets.close,
    }));
}

const titleOf = (desk, name) =>
  (name === '' ? t('risk.noFigure') : label(desk.taught.figures.find(figure => figure.name === name)?.label, name));

const targetInputs = (form, risk) => [
  form.text({
    name: '/policy/risk/bar', label: t('risk.bar'), value: risk ? toInput(risk.bar) : '', inputmode: 'decimal',
    required: true,
  }),
  check(form, 'below', risk?.below ?? true),
  check(form, 'outOfReach', risk?.outOfReach ?? true),
  form.text({
    name: '/policy/risk/share', label: t('risk.share'), hint: t('risk.shareHint'),
    value: risk?.share ? toInput(risk.share) : '', inputmode: 'decimal',
  }),
];

const check = (form, name, checked) =>
  form.field({ name: `/policy/risk/${name}`, label: t(`risk.${name}`), className: 'boolean' }, attributes =>
    h('input', { ...attributes, type: 'checkbox', checked }));

// 0 marks none, as it does in the view of a person.
function boundOf(data) {
  const share = fromInput(String(data.get('/policy/low')).trim().replace(/\s*[%％]$/, ''));
  return share === '' || /^0(\.0+)?$/.test(share) ? null : share;
}

const isSame = (rules, risk) => RULES.every(name => String(rules?.[name] ?? '') === String(risk?.[name] ?? ''));

// Without any condition there are no rules.
function rulesOf(data) {
  const text = name => fromInput(String(data.get(`/policy/risk/${name}`) ?? '').trim());
  const figure = data.get('/policy/risk/figure');
  const missing = text('missing');
  if (figure === '' && missing === '') return null;
  return {
    ...(missing === '' ? {} : { missing: /^\d{1,6}$/.test(missing) ? Number(missing) : missing }),
    ...(figure === '' ? {} : {
      figure, bar: text('bar') || null, below: data.has('/policy/risk/below'),
      outOfReach: data.has('/policy/risk/outOfReach'), share: text('share') || null,
    }),
  };
}
