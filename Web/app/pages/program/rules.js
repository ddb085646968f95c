// A program's configuration as a form made from the scheme's own schema, with its effect on a record beside it. Saving
// changes the single open draft; nothing takes effect before it is published.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { Form } from '../../parts/frame/form.js';
import { help } from '../../parts/frame/help.js';
import { icon } from '../../parts/frame/icons.js';
import { faultText } from '../../parts/frame/problem.js';
import { presetName, presetsOf } from '../../parts/rules/presets.js';
import { ExampleRecord } from '../../parts/rules/exampleRecord.js';
import { rulesInWords } from '../../parts/rules/rulesInWords.js';
import { placeName, settingsForm } from '../../parts/rules/settingsForm.js';
import { openSection } from './frame.js';

export const open = (app, { id }) => openSection(app, id, 'rules', async desk => {
  if (desk.isWritten) return (await import('./regulation.js')).openDraft(desk);
  const example = new ExampleRecord(desk);
  await example.load();
  if (!desk.manages) {
    const { configuration } = desk.program;
    await example.show(configuration);
    return {
      view: () => [
        help('rulesInForce'),
        desk.oversees && h('p', { class: 'muted' }, t('program.readOnly')),
        h('div', { class: 'rules' },
          h('section', { class: 'card' },
            rulesInWords(desk.scheme, configuration ?? desk.scheme.configuration.defaults)),
          example.view()),
      ],
    };
  }
  const editor = new RulesEditor(desk, example);
  editor.reset();
  return editor;
});

class RulesEditor {
  #desk;
  #example;
  #form;
  #value = null;
  #warnings = [];
  #generation = 0;
  #isSaved = false;

  constructor(desk, example) {
    this.#desk = desk;
    this.#example = example;
    this.#form = new Form(desk.app.redraw, async () => {
      this.#warnings = await desk.patch({ configuration: this.#value });
      this.#isSaved = true;
      desk.app.say(t('profile.saved'), 'good');
    });
  }

  /** Begins with the draft. If there is none, begins with a copy of the newest version, even if that has not taken
   *  effect yet. */
  reset() {
    const { program, scheme } = this.#desk;
    const newest = program.waiting?.at(-1)?.configuration ?? program.configuration;
    this.#begin(program.draft?.configuration ?? newest ?? scheme.configuration.defaults);
  }

  view() {
    const { program } = this.#desk;
    return [
      help('rules'),
      h('div', { class: 'rules' },
        h('section', {
          class: 'card', key: `rules-${this.#generation}`, oninput: this.#changed, onchange: this.#changed,
        },
          this.#presets(),
          this.#warningList(),
          this.#form.view(settingsForm(this.#form, this.#desk.scheme, this.#value, this.#redraw), {
            action: t('program.saveDraft'),
            cancel: () => {
              this.reset();
              this.#desk.app.redraw();
            },
            more: this.#isSaved && program.draft && h('a', {
              class: 'button quiet', href: `/programs/${program.id}/versions`,
            }, icon('flask'), t('rules.goOn')),
          })),
        this.#example.view()),
    ];
  }

  // Rows can be added and removed, so the inputs alone are not enough.
  again() {
    return { open: { configuration: this.#value, since: this.#desk.program.draft?.editedAt ?? null } };
  }

  /** Continues from `again`, unless another person saved a draft meanwhile. */
  reopen({ configuration, since }) {
    if (since !== (this.#desk.program.draft?.editedAt ?? null)) return false;
    this.#begin(configuration);
    return true;
  }

  #begin(configuration) {
    this.#value = structuredClone(configuration);
    this.#generation += 1;
    this.#example.show(this.#value);
  }

  #redraw = () => {
    this.#changed();
    this.#desk.app.redraw();
  };

  #changed = () => this.#example.show(this.#value);

  #presets() {
    const { scheme, app } = this.#desk;
    return h('div', { class: 'page-head' },
      h('h2', { class: 'grow' }, t('program.rules')),
      h('span', { class: 'muted' }, t('program.startFrom')),
      presetsOf(scheme).map(preset => h('button', {
        key: preset, class: 'button quiet small', type: 'button',
        onclick: () => {
          this.#begin(scheme.configuration.presets[preset]);
          app.redraw();
        },
      }, presetName(scheme, preset))));
  }

  #warningList() {
    if (this.#warnings.length === 0) return null;
    return h('ul', { class: 'warnings', role: 'status' }, this.#warnings.map((warning, index) =>
      h('li', { key: index },
        icon('warning'),
        h('span', null,
          t('outcome.is', { name: placeName(this.#desk.scheme, warning.path), state: faultText(warning) })))));
  }
}
