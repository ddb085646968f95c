// The page of a program whose rules are a document: here its draft is written, saved and compared; nothing takes effect
// before it is rehearsed and published. Guests have the same editor without saving.

import { h } from '../../core/page/dom.js';
import { useStyles } from '../../core/page/styles.js';
import { dateTime, label, t, useTexts } from '../../core/text/i18n.js';
import { help } from '../../parts/frame/help.js';
import { icon } from '../../parts/frame/icons.js';
import { problemText } from '../../parts/frame/problem.js';
import { differences, versionTexts } from '../regulation/comparison.js';
import { Editor } from '../regulation/editor.js';
import { keeperOf } from '../regulation/keeping.js';
import { openSection } from './frame.js';

await Promise.all([useStyles('regulation'), useTexts('regulation')]);

const withLines = configuration =>
  ({ text: (configuration?.document ?? '').replaceAll('\r\n', '\n'), settings: configuration?.settings ?? {} });
const isSame = (one, other) => one.text === other.text
  && JSON.stringify(one.settings) === JSON.stringify(other.settings);

/** The editor of a program, or without a program the trial for everybody. */
export const open = (app, { id }) =>
  (id ? openSection(app, id, 'rules', openDraft, desk => desk.isWritten) : openTry(app));

/** The editor of a program's draft, as a section of the program's pages. */
export const openDraft = desk => Draft.open(desk);

class Draft {
  #desk;
  #editor;
  #keeper;
  // The state on the server, with the version on condition of which it may be replaced.
  #base;
  #conflict = null;
  #isBusy = false;
  #isBack = false;

  static async open(desk) {
    const draft = new Draft(desk);
    await draft.#begin();
    return draft;
  }

  constructor(desk) {
    this.#desk = desk;
    this.#keeper = keeperOf(desk.app, desk.id);
  }

  async #begin() {
    const { app, program, oversees } = this.#desk;
    this.#base = this.#stored();
    const kept = await this.#keeper.read();
    this.#isBack = Boolean(kept) && !isSame(kept, this.#base);
    // A text that was kept replaces the state on which it was based, but nothing that was saved meanwhile.
    if (this.#isBack) this.#base = { ...kept.base };
    this.#editor = new Editor(app, this.#isBack ? kept : this.#base, {
      keep: state => this.#keep(state),
      save: () => this.#save(),
      inForce: () => (program.version ? this.#desk.program.configuration : null),
      texts: () => this.#texts(),
    });
    if (oversees) await this.#editor.samples.load(this.#desk.id).catch(() => {});
    this.#editor.begin();
    const line = Number(new URLSearchParams(location.search).get('line'));
    if (line > 0) this.#editor.goToLine(line);
  }

  #stored() {
    const { program, place } = this.#desk;
    const newest = program.waiting?.at(-1)?.configuration ?? program.configuration;
    return { ...withLines(program.draft?.configuration ?? newest), place };
  }

  get #isChanged() {
    return !isSame(this.#editor.state, this.#base);
  }

  view() {
    const { program, id } = this.#desk;
    return [
      help('rules'),
      this.#isBack && h('p', { class: 'banner', role: 'status' },
        h('span', { class: 'grow' }, t('regulation.isBack')),
        h('button', { type: 'button', class: 'button quiet small', onclick: () => this.#startOver() },
          t('regulation.startOver'))),
      this.#conflict && this.#conflictCard(),
      this.#editor.view([
        h('button', {
          type: 'button', class: 'button small', 'aria-disabled': this.#isBusy ? 'true' : null,
          onclick: () => this.#save(),
        }, icon('check'), t('program.saveDraft')),
        h('span', { class: 'muted', role: 'status' }, t(this.#isChanged ? 'regulation.unsaved' : 'regulation.saved')),
        !this.#isChanged && program.draft && h('a', { class: 'button quiet small', href: `/programs/${id}/versions` },
          icon('flask'),
          t('rules.goOn')),
      ]),
    ];
  }

  close() {
    this.#editor.close();
  }

  #keep(state) {
    if (isSame(state, this.#base)) this.#keeper.forget();
    else this.#keeper.write({ ...state, base: this.#base });
  }

  async #save() {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#desk.app.redraw();
    try {
      await this.#send(this.#base.place);
    } catch (problem) {
      await this.#refused(problem);
    }
    this.#isBusy = false;
    this.#desk.app.redraw();
  }

  async #send(match) {
    const { app, path } = this.#desk;
    const { text, settings } = this.#editor.state;
    // Settings that are no longer set are reset explicitly.
    const gone = Object.keys(this.#base.settings).filter(name => !(name in settings));
    const configuration = {
      document: text, settings: { ...settings, ...Object.fromEntries(gone.map(name => [name, null])) },
    };
    this.#desk.take(await app.http.patch(path, { configuration }, { match }));
    this.#base = { text, settings, place: this.#desk.place };
    this.#isBack = false;
    this.#conflict = null;
    this.#keep(this.#editor.state);
    app.say(t('profile.saved'), 'good');
  }

  async #refused(problem) {
    if (problem.code !== 'version_conflict') return this.#desk.app.say(problemText(problem), 'bad');
    try {
      await this.#desk.look();
      const theirs = this.#stored();
      // Something else in the program has changed: its title, or who enters grades.
      if (isSame(theirs, this.#base) || isSame(theirs, this.#editor.state)) return await this.#send(theirs.place);
      this.#conflict = theirs;
    } catch (other) {
      this.#desk.app.say(problemText(other), 'bad');
    }
  }

  // Another person, or another tab, has saved meanwhile.
  #conflictCard() {
    const theirs = this.#conflict;
    const decide = act => async () => {
      this.#conflict = null;
      this.#base = theirs;
      await act();
      this.#desk.app.redraw();
    };
    return h('section', { class: 'card conflict', role: 'alert', key: 'conflict' },
      h('h2', null, t('regulation.conflict')),
      h('p', null, t('regulation.conflictText', { at: dateTime(this.#desk.program.draft?.editedAt ?? Date.now()) })),
      h('div', { class: 'actions' },
        h('button', { type: 'button', class: 'button small', onclick: decide(() => this.#save()) },
          t('regulation.keepMine')),
        h('button', { type: 'button', class: 'button quiet small', onclick: decide(() => this.#editor.put(theirs)) },
          t('regulation.takeTheirs'))),
      differences(theirs.text, this.#editor.text, [t('regulation.theirs'), t('regulation.mine')]));
  }

  #startOver() {
    this.#isBack = false;
    this.#base = this.#stored();
    this.#editor.put(this.#base);
    this.#keep(this.#editor.state);
  }

  async #texts() {
    const { app, program, id } = this.#desk;
    const saved = program.draft
      ? [{ id: 'draft', name: t('regulation.savedDraft'), text: withLines(program.draft.configuration).text }]
      : [];
    return [...await versionTexts(app.http, id).catch(() => []), ...saved];
  }
}

// -- for everybody

async function openTry(app) {
  const library = (await app.http.get('/v1/regulations/library')).body.items;
  const textOf = async name => (await app.http.get(`/v1/regulations/library/${name}`)).body.document;
  const keeper = keeperOf(app, 'try');
  const kept = await keeper.read();
  let chosen = kept?.chosen ?? library[0]?.name ?? '';
  let from = chosen && !kept ? await textOf(chosen) : kept?.from ?? '';
  const editor = new Editor(app, { text: kept?.text ?? from, settings: kept?.settings ?? {} }, {
    keep: state => keeper.write({ ...state, chosen, from }),
    inForce: () => null,
    texts: async () =>
      [{ id: 'library', name: label(library.find(item => item.name === chosen)?.title, chosen), text: from }],
  });
  const choose = async name => {
    from = await textOf(name);
    chosen = name;
    editor.put({ text: from, settings: {} });
    app.redraw();
  };
  editor.begin();
  return {
    wide: true,
    title: () => t('regulation.tryTitle'),
    view: () => h('div', { class: 'program' },
      h('div', { class: 'page-head' },
        h('a', { class: 'round', href: '/explore', 'aria-label': t('action.back') }, icon('back')),
        h('h1', { tabindex: '-1' }, t('regulation.tryTitle'))),
      h('p', { class: 'help' }, t('regulation.tryText')),
      editor.view([
        h('label', { class: 'inline' }, t('regulation.startFrom'),
          h('select', { onchange: event => choose(event.target.value) },
            library.map(({ name, title }) =>
              h('option', { key: name, value: name, selected: name === chosen }, label(title, name))))),
      ])),
    close: () => editor.close(),
  };
}
