// A book is the form in which a page works with a record, whatever its source: stored on the server, a what-if over a
// stored one, or a guest's calculation. All three have the same members:
//   mode, scheme, program, record {id, fields, entries}, standing, editable;
//   drawn: the entries as they are shown; those of a stored record include the lines of its classes;
//   apply(ops); remove(entry), which returns how to undo it (null while nothing is removed); explain(figure, entry);
//   for drafts: preview(ops), which computes their effect; previewed {standing, ops}, which is then shown; saved, the
//   standing without drafts.

import { applied, find, placeOf, pointerTo, present, recordToWire, restored, walk } from '../values/tree.js';
import { Problem } from '../net/http.js';
import { pendingName } from '../edits/editRules.js';
import { shared } from '../values/sharing.js';
import { traceOf, traceQuery } from './traces.js';
import { keepCalculation, keptCalculation } from './calculations.js';

export class StoredBook {
  mode = 'stored';
  previewed = null;
  // The record with the lines of its classes, as it was when they were last read: `{entries, standing}`.
  #whole = null;
  #reading = null;
  #next = null;
  #composed = null;
  #drawn = null;
  #judged = null;
  #author;
  #last = null;

  constructor(app, topic, scheme, program, editable) {
    Object.assign(this, { app, topic, scheme, program, editable });
    this.id = topic.split('/')[1];
    this.#author = app.edits.author;
  }

  // When a session ends, its documents are dropped before its forms close, and a form may be sent in between.
  get #held() {
    return (this.#last = this.app.documents.get(this.topic) ?? this.#last);
  }

  get doc() {
    return this.app.documents.get(this.topic) ? this.#held.doc : null;
  }

  // Includes the edits that wait to be sent. It is read often, so it is composed once.
  get record() {
    const { doc } = this;
    const { edits } = this.app.store.state;
    if (this.#composed?.doc !== doc || this.#composed.edits !== edits) {
      this.#composed = { doc, edits, record: shared(this.#composed?.record, this.#compose()) };
    }
    return this.#composed.record;
  }

  #compose() {
    const waiting = this.app.edits.of(this.id).filter(edit => edit.state === 'waiting');
    let { record } = this.#held.doc;
    for (const edit of waiting) {
      let next = 0;
      record = { ...record, ...applied(record, edit.ops, () => pendingName(edit, (next += 1))) };
    }
    return record;
  }

  // Edits change the record alone; what is shown and named also has the lines of classes.
  get drawn() {
    const { record: { entries } } = this;
    if (this.#drawn?.of !== entries || this.#drawn.whole !== this.#whole) {
      this.#drawn = {
        of: entries, whole: this.#whole, entries: shared(this.#drawn?.entries, withLines(entries, this.#whole)),
      };
    }
    return this.#drawn.entries;
  }

  get saved() {
    const { standing } = this.doc;
    if (this.#judged?.of !== standing || this.#judged.whole !== this.#whole) {
      this.#judged = { of: standing, whole: this.#whole, standing: withJudgements(standing, this.#whole) };
    }
    return this.#judged.standing;
  }

  get standing() {
    return this.previewed?.standing ?? this.saved;
  }

  async apply(ops) {
    try {
      const { topic, id, record } = this;
      return await this.app.edits.submit({
        topic, record: id, ops, seen: record, place: this.#held.place, author: this.#author,
      });
    } catch (error) {
      throw relative(error, ops.length === 1 ? [''] : ops.map((_, index) => `/changes/${index}`));
    }
  }

  async remove(entry) {
    const { answer } = await this.apply([{ op: 'delete', entry }]);
    return answer ? () => this.#undo(answer.version) : null;
  }

  async #undo(version) {
    const {
      body, place,
    } = await this.app.http.post(`/v1/records/${this.id}/undo`, { version }, { as: this.#author.account });
    if (this.app.documents.get(this.topic)) this.app.documents.accept(this.topic, place, body);
  }

  preview = ops => this.#whatIf(ops, '');

  /** Reads the lines of classes, if the record has any. All who ask during a reading share the next one. */
  assemble() {
    if (this.links.length === 0) return Promise.resolve();
    this.#next ??= (this.#reading ?? Promise.resolve()).catch(() => {}).then(() => {
      this.#next = null;
      return (this.#reading = this.#read());
    });
    return this.#next;
  }

  /** The entries that represent the student's rows of classes. */
  get links() {
    return this.record.entries.filter(entry => entry.class);
  }

  async #read() {
    this.#whole = shared(this.#whole, await assembled(this));
  }

  /** Whether a student's own row, in the form of a `row/…` document, has other lines than those that are shown. */
  differs = ({ enrolment, id }, { part }) => {
    const [root] = part.entries;
    return this.#whole === null
      || linesText(root) !== linesText(this.#whole.entries.find(entry => entry.id === id
        && entry.enrolment === enrolment));
  };

  async explain(figure, entry) {
    const query = traceQuery(figure, entry);
    const asked = this.previewed
      ? this.#whatIf(this.previewed.ops, query)
      : this.app.http.get(`/v1/records/${this.id}/standing${query}`).then(({ body }) => body);
    const [standing] = await Promise.all([asked, this.assemble()]);
    return traceOf(standing, figure, entry);
  }

  async #whatIf(ops, query) {
    return (await this.app.http.post(`/v1/records/${this.id}/what-if${query}`, { changes: ops })).body;
  }
}

/** A calculation that the server does not store: the whole tree is sent with every change, under ids of our own. */
export class CalculatorBook {
  mode = 'calculator';
  editable = true;
  id = null;
  program = null;
  count = 0;
  previewed = null;
  #next = 0;
  #isKept = false;
  #place;

  /** `rules` are the members of the request that define the rules: `{preset}` or `{configuration}`. The tab keeps the
   *  calculation as `place`. */
  constructor(app, scheme, rules, place = scheme.id) {
    Object.assign(this, { app, scheme, rules });
    this.#place = place;
    this.record = { id: null, fields: {}, entries: [] };
    this.saved = { figures: {}, entries: {}, outcomes: {}, warnings: [] };
  }

  get standing() {
    return this.previewed?.standing ?? this.saved;
  }

  /** Judges what this tab has kept, or else the empty record, so that there is something to show. */
  async start() {
    const kept = keptCalculation(this.#place);
    if (Array.isArray(kept?.entries) && await this.#resume(kept)) return;
    await this.#evaluate(this.record);
    this.#isKept = true;
  }

  // Returns false if the calculation no longer fits the scheme.
  async #resume({ fields, entries, rules, next }) {
    const [before, record] = [this.rules, { fields, entries }];
    try {
      Object.assign(this, { rules });
      await this.#evaluate(record);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 422) throw error;
      this.rules = before;
      return false;
    }
    this.#next = next;
    this.#isKept = true;
    return true;
  }

  get drawn() {
    return this.record.entries;
  }

  get isEmpty() {
    return this.record.entries.length === 0 && Object.keys(present(this.record.fields)).length === 0;
  }

  /** Begins again with the empty record; returns a function that takes that back. */
  async clear() {
    const { fields, entries } = this.record;
    await this.#evaluate({ fields: {}, entries: [] });
    return () => this.#evaluate({ fields, entries });
  }

  async apply(ops) {
    const next = this.#after(ops);
    try {
      await this.#evaluate(next);
      this.count += ops.length;
      return {};
    } catch (error) {
      throw relative(error, ops.map(op => pointer(op, next)));
    }
  }

  async remove(entry) {
    const place = placeOf(this.record.entries, entry);
    await this.apply([{ op: 'delete', entry }]);
    return () => this.#putBack(place);
  }

  async #putBack(place) {
    await this.#evaluate(restored(this.record, place));
    this.count -= 1;
  }

  preview = ops => this.#ask(this.#after(ops), '');

  async explain(figure, entry) {
    const document = this.previewed ? this.#after(this.previewed.ops) : this.record;
    return traceOf(await this.#ask(document, traceQuery(figure, entry)), figure, entry);
  }

  async judge(rules) {
    this.rules = rules;
    await this.#evaluate(this.record);
  }

  async #evaluate(document) {
    this.saved = await this.#ask(document, '');
    this.record = { ...this.record, ...document };
    if (this.#isKept) this.#keep();
  }

  #keep() {
    const { record: { fields, entries }, rules } = this;
    keepCalculation(this.#place, { fields, entries, rules, next: this.#next });
  }

  #after = ops => applied(this.record, ops, () => `new-${(this.#next += 1)}`);

  async #ask({ fields, entries }, query) {
    const body = { scheme: this.scheme.id, ...recordToWire({ fields, entries }), ...this.rules };
    return (await this.app.http.post(`/v1/evaluate${query}`, body)).body;
  }
}

/** "What if?": changes of a stored record that are not stored. The lines of its classes can be tried, too. */
export class SandboxBook {
  mode = 'sandbox';
  editable = true;
  count = 0;
  previewed = null;
  #stored;
  #ops = [];
  #next = 0;
  #turn = Promise.resolve();

  constructor({ app, program, scheme, id }, { entries, fields, standing }) {
    Object.assign(this, { app, program, scheme, id, saved: standing });
    this.record = this.#stored = { id, fields, entries };
  }

  static over = async stored => new SandboxBook(stored, await assembled(stored));

  get drawn() {
    return this.record.entries;
  }

  get standing() {
    return this.previewed?.standing ?? this.saved;
  }

  apply = ops => this.#after(async () => {
    const before = this.#ops.length;
    try {
      await this.#become([...this.#ops, ...ops.map(op => (op.op === 'add' ? this.#named(op) : op))]);
      this.count += ops.length;
      return {};
    } catch (error) {
      throw relative(error, ops.map((_, index) => `/changes/${before + index}`));
    }
  });

  remove = entry => this.#after(async () => {
    const op = { op: 'delete', entry };
    await this.#become([...this.#ops, op]);
    this.count += 1;
    return () => this.#after(async () => {
      if (!this.#ops.includes(op)) return;
      await this.#become(this.#ops.filter(one => one !== op));
      this.count -= 1;
    });
  });

  // Changes run one after the other: each is added to those before it.
  #after(act) {
    const done = this.#turn.catch(() => {}).then(act);
    this.#turn = done;
    return done;
  }

  preview = ops => this.#ask([...this.#ops, ...ops], '');

  async explain(figure, entry) {
    return traceOf(await this.#ask([...this.#ops, ...this.previewed?.ops ?? []], traceQuery(figure, entry)), figure,
      entry);
  }

  async #become(ops) {
    this.saved = await this.#ask(ops, '');
    this.record = { ...this.record, ...applied(this.#stored, ops) };
    this.#ops = ops;
  }

  // New entries get names of our own, by which later changes address them.
  #named = node => ({
    ...node, ref: `new-${(this.#next += 1)}`, ...(node.children ? { children: node.children.map(this.#named) } : {}),
  });

  async #ask(ops, query) {
    return (await this.app.http.post(`/v1/records/${this.id}/what-if${query}`, { changes: ops.map(wire) })).body;
  }
}

const wire = ({ ref, children, ...node }) =>
  ({ ...node, ...(ref ? { id: ref } : {}), ...(children ? { children: children.map(wire) } : {}) });

async function assembled({ app, id }) {
  const { record: { entries, fields }, standing, classes } = (await app.http.get(`/v1/records/${id}/assembled`)).body;
  const places = new Map(classes.map(({ entry, class: of, enrolment }) => [entry, { class: of, enrolment }]));
  return { entries: entries.map(entry => ({ ...entry, ...places.get(entry.id) })), fields, standing };
}

const linesText = root => JSON.stringify(root?.children ?? []);

// If the row of another enrolment has replaced the one whose lines are known, there are no lines until they are read
// again.
const linesOf = (link, whole) =>
  whole?.entries.find(({ id, enrolment }) => id === link.id && enrolment === link.enrolment)?.children
  ?? [];

const withLines = (entries, whole) =>
  entries.map(entry => (entry.class ? { ...entry, children: linesOf(entry, whole) } : entry));

// A record is judged without the lines of its classes; what the classes say about these is added.
function withJudgements(standing, whole) {
  if (!whole) return standing;
  const inside = new Set(whole.entries.filter(entry => entry.class).flatMap(entry =>
    [...walk([entry])].map(({ entry: { id } }) => id)));
  const said = new Set(standing.warnings.map(({ code, entry }) => `${code} ${entry}`));
  return {
    ...standing,
    entries: { ...whole.standing.entries, ...standing.entries },
    warnings: [...standing.warnings,
      ...whole.standing.warnings.filter(({ code, entry }) => inside.has(entry) && !said.has(`${code} ${entry}`))],
  };
}

// Returns where the node of an operation is in the request.
function pointer(op, document) {
  if (op.op === 'fields') return '';
  if (op.op !== 'add') return pointerTo(document.entries, op.entry) ?? '';
  const siblings = op.parent ? find(document.entries, op.parent).children : document.entries;
  const parent = op.parent ? `${pointerTo(document.entries, op.parent)}/children` : '/entries';
  return `${parent}/${siblings.length - 1}`;
}

// Faults point into the request; forms need them relative to the operation that caused them.
function relative(error, prefixes) {
  if (!(error instanceof Problem)) return error;
  error.faults = error.faults.map(fault => {
    const op = prefixes.findIndex(prefix => fault.path.startsWith(`${prefix}/`) || fault.path === prefix);
    return op < 0 ? { ...fault, op: 0 } : { ...fault, op, path: fault.path.slice(prefixes[op].length) };
  });
  return error;
}
