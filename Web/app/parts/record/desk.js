// The desk holds what a record's view needs: the current book, the open sheet, and the names of the things in the book.
// Scheme views draw from it and never call the server themselves.

import { label, language, t } from '../../core/text/i18n.js';
import { indexOf, pathTo, walk } from '../../core/values/tree.js';
import { kindOf } from '../../core/data/kinds.js';
import { within } from '../../core/text/wording.js';
import { Problem } from '../../core/net/http.js';
import { problemText } from '../frame/problem.js';
import { keeper } from '../frame/refusal.js';
import { ownTitle, titleOf } from './entryTitle.js';
import { fieldText } from './fieldText.js';
import { confirmation } from '../frame/dialog.js';
import { addEntry, editEntry, editRecord } from './entryForm.js';
import { whySheet } from './trace.js';
import { valueIn } from '../../core/values/own.js';

export class Desk {
  sheet = null;
  /** Whether another book is being loaded; until it is there, nothing can be changed. */
  isOpening = false;
  #flashing = new Map();
  #index = null;

  /** `names` are the names of staff members who entered something, by account. */
  constructor(app, book, scheme,
    { staff = false, removes = false, mayGive = false, names = new Map(), sheets = {} } = {}) {
    Object.assign(this, { app, book, scheme, staff, removes, mayGive, names, sheets });
    this.redraw = app.redraw;
    this.close = () => this.open(null);
  }

  /** The configuration by which the record is judged. */
  get configuration() {
    const { configuration } = this.scheme;
    const preset = configuration?.presets?.[this.book.rules?.preset];
    return { ...configuration?.defaults, ...preset, ...this.book.program?.configuration };
  }

  get place() {
    return this.app.documents.place(this.book.topic);
  }

  open(sheet) {
    this.sheet = sheet;
    this.redraw();
  }

  /** Sheets to add and edit entries; `omit` names fields (or `status`) that an entry of its kind does not take. */
  add = (kind, parent = null, omit = []) => this.open(addEntry(this, kind, parent, omit));
  edit = (entry, omit = []) => this.open(editEntry(this, entry, [...omit, ...this.#withheld(entry)]));
  editRecord = title => this.open(editRecord(this, title));
  why = (name, entry, text) => this.open(whySheet(this, name, entry, text));

  /**
   * Opens a sheet again from its `again`: a name, which is one of these or of the view's own `sheets`, and the
   * arguments with which it was opened, entries by their ids. Returns whether it is open.
   */
  reopen([name, ...args]) {
    const own = {
      add: (kind, parent, omit) =>
        (parent === null || this.entry(parent) ? addEntry(this, kind, this.entry(parent), omit) : null),
      edit: (id, omit) => this.entry(id) && this.mayEdit(this.entry(id), omit) && editEntry(this, this.entry(id), omit),
      record: title => editRecord(this, title),
    };
    const make = valueIn(own, name) ?? valueIn(this.sheets, name)?.bind(null, this);
    const sheet = make?.(...args);
    if (sheet) this.open(sheet);
    return Boolean(sheet);
  }

  /** Deletes an entry after the user confirms. */
  remove(entry) {
    this.open({
      view: () => confirmation({
        key: entry.id,
        title: t('entry.delete', { kind: within(label(kindOf(this.scheme, entry.kind).label)) }),
        text: t('entry.deleteText', { title: this.titleOf(entry.id) }),
        action: t('action.delete'),
        close: this.close,
        confirm: async () => {
          this.close();
          await this.attempt(() => this.delete(entry));
        },
      }),
    });
  }

  /** Deletes an entry, and offers to undo that once it is gone. */
  async delete(entry) {
    const title = this.titleOf(entry.id);
    const undo = await this.book.remove(entry.id);
    if (undo) this.app.say(t('entry.deleted', { title }), 'good', () => this.attempt(undo));
  }

  /** Deletes the entry at a position. Positions change as soon as somebody adds or deletes an entry, so only the entry
   *  that the user sees is deleted. */
  async deleteAt(position) {
    const entry = this.book.record.entries.find(item => String(item.position) === position);
    if (!entry) throw new Problem(404, { code: 'entry_not_found' });
    if (this.isOfClass(entry)) throw new Problem(422, { code: 'class_entry' });
    await this.delete(entry);
  }

  /** Does something outside a form; a refusal is shown as a message. Returns whether it succeeded. */
  async attempt(action) {
    const keepIfLeft = keeper();
    try {
      await action();
      return true;
    } catch (error) {
      this.app.say(problemText(error), 'bad');
      await keepIfLeft(error);
      return false;
    } finally {
      this.redraw();
    }
  }

  entry = id => this.#known.byId.get(id) ?? null;

  get #known() {
    const { drawn } = this.book;
    if (this.#index?.of !== drawn) {
      this.#index = { of: drawn, byId: indexOf(drawn), ofClass: indexOf(drawn.filter(entry => entry.class)) };
    }
    return this.#index;
  }

  /** Whether an entry represents the student's row of a class, or is one of its lines. */
  isOfClass = ({ id }) => this.#known.ofClass.has(id);

  /**
   * The values on which the look of an entry depends, besides those that a view adds; with `deep`, also those of all
   * entries in it. For `memo`.
   */
  lookOf(entry, deep = true) {
    const { book } = this;
    const deps = [book, book.editable, this.staff, this.names, language(), entry];
    const add = one => {
      deps.push(book.standing.entries?.[one.id], this.flashing(one));
      if (deep) for (const child of one.children ?? []) add(child);
    };
    add(entry);
    return deps;
  }

  /** The title of an entry: its text field, or else its choice, or else its kind and position. */
  titleOf(id) {
    const entry = this.entry(id);
    return entry ? ownTitle(entry, this.scheme) ?? `${titleOf(entry, this.scheme)} ${entry.position ?? ''}`.trim() : '';
  }

  pathText = id => pathTo(this.book.drawn, id).map(entry => this.titleOf(entry.id)).join(' › ');

  fieldLabel(id, name) {
    return label(this.#field(id, name)?.label, name);
  }

  /** The value of an entry's field, or of the record's, in readable form. */
  fieldText(id, name, value) {
    return fieldText(this.#field(id, name), value);
  }

  /** The letter that was entered in a field; null for any other value, and where a status stands in its place. */
  letterIn(id, name) {
    const field = this.#field(id, name);
    const { status = null, fields } = (id && this.entry(id)) || {};
    const value = status === null ? valueIn(fields, name) : null;
    return value && field?.grade && field.type === 'choice' ? fieldText(field, value) : null;
  }

  // The kind of a deleted entry is unknown, so any field with this name is used.
  #field(id, name) {
    const entry = id && this.entry(id);
    const kinds = entry ? [kindOf(this.scheme, entry.kind)] : [this.scheme.shape, ...this.scheme.shape.kinds];
    return kinds.flatMap(kind => kind?.fields ?? []).find(item => item.name === name);
  }

  /** The names of staff members who entered something in an entry, or in the record itself. */
  authorsOf({ enteredBy }) {
    const ids = [...Object.values(enteredBy?.fields ?? {}), enteredBy?.status].filter(Boolean);
    return [...new Set(ids)].map(this.nameOf);
  }

  /** Who entered a field (null: the status), or null. Students cannot change what staff entered. */
  holderOf({ enteredBy }, field) {
    if (this.staff || this.book.mode !== 'stored') return null;
    const id = field === null ? enteredBy?.status : valueIn(enteredBy?.fields, field);
    return id ? this.nameOf(id) : null;
  }

  /** Whether the user may edit the entry. In what a class determines, a what-if may only change results. */
  mayEdit(entry, omit = []) {
    if (!this.book.editable || !this.isOfClass(entry)) return this.book.editable;
    const withheld = [...omit, ...this.#withheld(entry)];
    return this.book.mode === 'sandbox'
      && kindOf(this.scheme, entry.kind).fields.some(({ name }) => !withheld.includes(name));
  }

  /** Whether the user may add entries below another entry, or to the record. */
  mayAdd = parent => this.book.editable && !(parent && this.isOfClass(parent));

  // The fields that only the class determines: all but the result.
  #withheld(entry) {
    if (!this.isOfClass(entry)) return [];
    return ['hidden', ...kindOf(this.scheme, entry.kind).fields.filter(field => !field.grade).map(({ name }) => name)];
  }

  /** Whether the user may delete the entry: not if it belongs to a class, and a student not if staff entered anything
   *  in it. */
  mayRemove = entry => this.book.editable && !this.isOfClass(entry) && !kindOf(this.scheme, entry.kind)?.copies
    && (this.staff || this.book.mode !== 'stored' || !holds(entry));

  /** The name of a staff member. */
  nameOf = id => this.names.get(id) ?? t('entered.staff');

  /** Whether the user may set figures and outcomes by hand here. */
  get gives() {
    return this.mayGive && this.book.mode === 'stored';
  }

  /** The text of a choice's value. */
  choiceLabel(kindName, fieldName, value) {
    const field = kindOf(this.scheme, kindName)?.fields.find(item => item.name === fieldName);
    const choice = field?.choices?.find(item => item.value === value);
    return choice ? label(choice.label, String(value)) : String(value ?? '');
  }

  /** Highlights entries for a moment that somebody else changed. */
  flash(ids) {
    for (const id of ids) this.#flashing.set(id, performance.now() + 1600);
    if (ids.length > 0) setTimeout(this.redraw, 1700);
  }

  flashing = entry => ((this.#flashing.get(entry.id) ?? 0) > performance.now() ? 'flash' : '');

  get count() {
    return [...walk(this.book.record.entries)].length;
  }
}

const holds = entry => Boolean(entry.enteredBy || entry.given) || (entry.children ?? []).some(holds);
