// Columns and weights: all lines of a class as one table that is edited in place. While the user types or drags, the
// class is rehearsed beside it; nothing is stored until it is applied, as one act.

import { h, named } from '../../../core/page/dom.js';
import { label, sentences, t, toInput } from '../../../core/text/i18n.js';
import { within } from '../../../core/text/wording.js';
import { childKinds, kindOf } from '../../../core/data/kinds.js';
import { confirmation, dialog } from '../../../parts/frame/dialog.js';
import { icon } from '../../../parts/frame/icons.js';
import { faultText, problemText } from '../../../parts/frame/problem.js';
import { toasts } from '../../../parts/frame/toasts.js';
import { titleOf } from '../../../parts/record/entryTitle.js';
import { linesAbove } from '../columns.js';
import { changeAll } from './changes.js';
import { LineDraft } from './lineDraft.js';
import { addSheet, editSheet } from './lineForms.js';
import { lineInput } from './lineInputs.js';
import { policySheet } from './policy.js';
import { Rehearsal } from './rehearsal.js';
import { riskSheet } from './risk.js';
import { sectionsSheet } from './sections.js';

/** The sheet; sheets opened over it return to it. */
export function structureSheet(desk) {
  const panel = new StructurePanel(desk);
  const sheet = () => panel.view();
  panel.back = sheet;
  sheet.holdsToasts = true;
  return sheet;
}

class StructurePanel {
  /** The sheet itself, to which others return. */
  back = null;
  #desk;
  #draft;
  #rehearsal;
  #element = null;
  // The text for screen readers.
  #spoken = '';
  #isBusy = false;
  #isLeaving = false;
  // Whether the sheet closes once the current request has ended.
  #isClosing = false;
  #error = null;
  #structure;
  #dragged = null;

  constructor(desk) {
    this.#desk = desk;
    this.#draft = new LineDraft(() => desk);
    this.#rehearsal = new Rehearsal(desk, () => this.#draft.steps);
    this.#structure = desk.taught.structure.s;
  }

  view() {
    const [desk, draft] = [this.#desk, this.#draft];
    if (this.#isLeaving) return this.#leaving();
    this.#follow();
    const { columns, count } = draft;
    return dialog({ key: 'structure', title: t('structure.title'), close: this.#close, className: 'sheet structure' },
      h('form', {
        class: 'structure-form', novalidate: true, onMount: this.#mount, onkeydown: this.#key,
        onsubmit: event => {
          event.preventDefault();
          this.#apply();
        },
      },
      h('p', { class: 'help' }, t('structure.help')),
      h('div', { class: 'actions' },
        [['late.title', policySheet], ['risk.title', riskSheet], ['section.many', sectionsSheet]].map(([text, sheet]) =>
          h('button', {
            key: text, class: 'button quiet small', type: 'button', onclick: () => this.#over(sheet(desk), count > 0),
          }, t(text)))),
      h('div', { class: 'structure-parts' },
        h('div', { class: 'line-scroll' },
          h('table', { class: 'line-table', role: 'table', 'aria-label': t('structure.lines') },
            h('thead', { role: 'rowgroup' },
              h('tr', { role: 'row' },
                columns.map(({ key, title }) => h('th', { key, scope: 'col', role: 'columnheader' }, title)),
                h('th', { scope: 'col', role: 'columnheader' },
                  h('span', { class: 'visually-hidden' }, t('structure.actions'))))),
            h('tbody', { role: 'rowgroup' }, this.#rows(null, columns)))),
        h('div', { class: 'structure-effect', role: 'group', tabindex: '0', 'aria-label': t('structure.effect') },
          this.#errorText(),
          this.#rehearsal.view())),
      h('div', { class: 'actions structure-actions' },
        h('button', { class: 'button', type: 'submit', 'aria-disabled': count === 0 || this.#isBusy ? 'true' : null },
          t('weights.apply')),
        count > 0 && h('button', { key: 'discard', class: 'button quiet', type: 'button', onclick: this.#discard },
          t('structure.discard')),
        h('span', { class: 'muted grow', role: 'status' }, count > 0 ? t('structure.count', { count }) : ''))),
      h('p', { key: 'spoken', class: 'visually-hidden', role: 'status' }, this.#spoken),
      toasts(desk.app));
  }

  // Sheets that are not about a single line return here only if changes wait to be applied.
  #over = (sheet, leadsBack = true) => this.#desk.sheets.open(sheet, leadsBack ? this.back : null);

  // Changes by others in the structure are rehearsed together with the user's own.
  #follow() {
    if (this.#structure === this.#desk.taught.structure.s) return;
    this.#structure = this.#desk.taught.structure.s;
    const lost = this.#draft.forgetGone();
    if (lost > 0) this.#desk.app.say(t('structure.lost', { count: lost }), 'bad');
    if (this.#draft.count > 0 || this.#rehearsal.effect) this.#rehearsal.ask();
  }

  #rows(parent, columns) {
    return this.#draft.inside(parent?.id ?? null).flatMap(line => [
      this.#row(line, columns), ...this.#rows(line, columns), this.#sums(line, columns),
    ]);
  }

  #row(line, columns) {
    const { scheme } = this.#desk;
    const kind = label(kindOf(scheme, line.kind)?.label, line.kind);
    const title = titleOf(line, scheme);
    const over = this.#dragged?.over === line.id ? this.#dragged.side : null;
    return h('tr', {
      key: line.id, role: 'row', 'data-line': line.id, 'data-over': over,
      style: { '--depth': String(this.#depth(line)) },
      ondragover: event => this.#dragOver(event, line), ondrop: event => this.#drop(event),
    },
    columns.map(column => {
      const cell = this.#draft.cell(line, column);
      const isName = column.role === 'title';
      return h(isName ? 'th' : 'td', {
        key: column.key, scope: isName ? 'row' : null, role: isName ? 'rowheader' : 'cell',
        class: `line-${column.role}`, 'data-label': cell ? column.title : null,
        'data-changed': cell?.isChanged ? '' : null,
      },
      isName && this.#grip(line),
      h('div', { class: 'line-cell' },
        cell ? lineInput({
          line, column, cell, title, fault: cell.fault ?? this.#faultAt(line, cell), change: this.#typed,
          settle: this.#settled, keep: this.#kept, takeBack: this.#takenBack,
        })
          : isName && [h('strong', null, named(title)), kind !== title && h('span', { class: 'muted' }, kind)]));
    }),
    h('td', { class: 'line-actions', role: 'cell' }, this.#actions(line, title)));
  }

  #depth = line => (line.parent ? linesAbove(line, this.#desk.taught.structure.lines).length + 1 : 0);

  #grip(line) {
    if (line.parent === null || this.#draft.inside(line.parent).length < 2) return null;
    return h('span', {
      class: 'line-grip', draggable: 'true', 'aria-hidden': 'true',
      ondragstart: event => {
        event.dataTransfer.setData('text/plain', titleOf(line, this.#desk.scheme));
        event.dataTransfer.setDragImage(event.target.closest('tr'), 0, 0);
        this.#dragged = { line, over: null, side: null };
      },
      ondragend: () => {
        this.#dragged = null;
        this.#desk.redraw();
      },
    }, '⠿');
  }

  #actions(line, title) {
    const { scheme } = this.#desk;
    const siblings = line.parent === null ? [] : this.#draft.inside(line.parent);
    const button = (name, symbol, text, onclick, isOff = false) => h('button', {
      key: name, class: `round ${name}`, type: 'button', title: text, 'aria-label': text,
      'aria-disabled': isOff ? 'true' : null, onclick,
    }, icon(symbol));
    return [
      siblings.length > 1 && [
        button('up', 'back', t('structure.up', { title }), () => this.#move(line, -1), siblings[0] === line),
        button('down', 'back', t('structure.down', { title }), () => this.#move(line, 1), siblings.at(-1) === line),
      ],
      childKinds(scheme, line.kind).filter(child => this.#mayHold(line, child)).map(child =>
        button(`add-${child.kind}`, 'plus', t('structure.addTo', { kind: within(label(child.label)), title }),
          () => this.#over(addSheet(this.#desk, line, child)))),
      button('edit', 'pencil', t('structure.edit', { title }), () => this.#over(editSheet(this.#desk, line))),
    ];
  }

  #mayHold = (line, kind) => !kind.max
    || this.#draft.inside(line.id).filter(item => item.kind === kind.kind).length < kind.max;

  #sums(line, columns) {
    const sums = this.#draft.sums(line);
    if (sums.length === 0) return null;
    const text = ({ column, sum }) => h('p', { key: column.key },
      t(sum === '100' ? 'structure.sumHundred' : 'structure.sum', {
        field: column.title, title: titleOf(line, this.#desk.scheme), sum: toInput(sum),
      }));
    return h('tr', {
      key: `sum ${line.id}`, class: 'line-sum', role: 'row', style: { '--depth': String(this.#depth(line) + 1) },
    },
      h('td', { role: 'cell', colspan: columns.length + 1 }, sums.map(text)));
  }

  // MARK: What is done

  #changed() {
    this.#error = null;
    this.#desk.redraw();
    this.#rehearsal.ask();
  }

  #typed = (line, column, text) => {
    this.#draft.type(line, column, text);
    this.#changed();
  };

  #settled = (line, column) => {
    this.#draft.settle(line, column);
    this.#desk.redraw();
  };

  #kept = (line, column) => {
    this.#draft.keep(line, column);
    this.#changed();
  };

  #takenBack = (line, column) => {
    this.#draft.takeBack(line, column);
    this.#changed();
  };

  #move(line, by) {
    if (!this.#draft.move(line, by)) return;
    this.#spoken = t('structure.moved', {
      title: titleOf(line, this.#desk.scheme),
      place: this.#draft.inside(line.parent).findIndex(({ id }) => id === line.id) + 1,
    });
    this.#changed();
  }

  // Over a line of another parent, the sibling that contains that line counts.
  #dragOver(event, line) {
    const { line: moved } = this.#dragged ?? {};
    if (!moved) return;
    const lines = new Map(this.#draft.lines.map(each => [each.id, each]));
    let sibling = line;
    while (sibling && sibling.parent !== moved.parent) sibling = lines.get(sibling.parent);
    if (!sibling) return;
    event.preventDefault();
    const box = event.currentTarget.getBoundingClientRect();
    const side = sibling === line && event.clientY < box.top + box.height / 2 ? 'before' : 'after';
    if (this.#dragged.over === line.id && this.#dragged.side === side) return;
    Object.assign(this.#dragged, { over: line.id, side, sibling });
    this.#desk.redraw();
  }

  #drop(event) {
    event.preventDefault();
    const { line, sibling, side } = this.#dragged ?? {};
    if (!sibling || sibling.id === line.id) return;
    const others = this.#draft.inside(line.parent).filter(({ id }) => id !== line.id);
    const place = others.findIndex(({ id }) => id === sibling.id) + (side === 'after' ? 1 : 0);
    this.#draft.place(line, others[place]?.id ?? null);
    this.#changed();
  }

  #discard = () => {
    this.#draft.clear();
    this.#changed();
    this.#element.querySelector('input')?.focus();
  };

  async #apply() {
    const [desk, draft] = [this.#desk, this.#draft];
    if (this.#isBusy || draft.count === 0) return null;
    this.#isBusy = true;
    this.#error = null;
    desk.redraw();
    try {
      const undo = await this.#send(3);
      if (undo) {
        desk.app.say(t('structure.applied'), 'good', undo);
        this.#rehearsal.ask();
      }
    } catch (error) {
      this.#error = error;
    }
    this.#isBusy = false;
    if (this.#isClosing && draft.count === 0) return desk.sheets.close();
    this.#isClosing = false;
    return desk.redraw();
  }

  // Applies the changes to the current structure, and returns how to undo that, or null if a cell has to be decided
  // first. If somebody else changes the structure meanwhile, it tries again, at most `times` times in all.
  async #send(times) {
    const [desk, draft] = [this.#desk, this.#draft];
    await desk.lookAtClass();
    if (this.#isOpenAt(({ fault, conflict }) => fault !== null || conflict !== null)) return null;
    const forget = draft.sent();
    try {
      const undo = await changeAll(desk, draft.steps, desk.taught.structure.s);
      forget();
      return undo;
    } catch (error) {
      if (error.code !== 'structure_changed' || times === 1) throw error;
      return this.#send(times - 1);
    }
  }

  // Goes to the first cell that has to be decided; returns whether there is one.
  #isOpenAt(isOpen) {
    const first = this.#draft.changed.find(({ cell }) => isOpen(cell));
    if (first) this.#inputOf(first.line.id, first.column.key)?.focus();
    return Boolean(first);
  }

  #inputOf = (line, column) => this.#element?.querySelector(`[name="${CSS.escape(`${line} ${column}`)}"]`);

  get #problem() {
    return this.#error ?? this.#rehearsal.error;
  }

  // The server's faults for a cell are shown at that cell.
  #faultAt(line, cell) {
    const own = this.#faults.filter(fault => this.#isAbout(fault, line, cell));
    return sentences(own.map(faultText)) || null;
  }

  get #faults() {
    return this.#problem?.faults ?? [];
  }

  #isAbout = (fault, line, { field, type }) => fault.line === line.id
    && fault.path === (field ? `/fields/${field.name}` : type === 'date' ? '/due' : null);

  // Faults without a cell are shown beside the table.
  #errorText() {
    const [problem, draft] = [this.#problem, this.#draft];
    if (!problem) return null;
    const cells = draft.lines.flatMap(line => draft.columns.map(column => ({ line, cell: draft.cell(line, column) })))
      .filter(({ cell }) => cell);
    const loose = this.#faults.filter(fault => !cells.some(({ line, cell }) => this.#isAbout(fault, line, cell)));
    const texts = this.#faults.length > 0 ? [...new Set(loose.map(faultText))] : [problemText(problem)];
    return texts.length > 0 && h('div', { key: 'error', class: 'alert', role: 'alert' },
      texts.map(text => h('p', { key: text }, text)));
  }

  // MARK: Keys

  #key = event => {
    const row = event.target.closest('tr[data-line]');
    const line = row && this.#draft.lines.find(({ id }) => id === row.dataset.line);
    if (!line || event.isComposing) return;
    const { target, key, altKey, ctrlKey, metaKey } = event;
    const [isCell, isText] = [target.matches('[name]'), target.matches('input:not([type="date"], [type="range"])')];
    const step = { ArrowUp: -1, ArrowDown: 1, Enter: event.shiftKey ? -1 : 1 }[key];
    if (ctrlKey || metaKey) return;
    if (altKey && key !== 'Enter' && step && (isText || !isCell)) {
      event.preventDefault();
      this.#move(line, step);
      requestAnimationFrame(() => requestAnimationFrame(() => target.focus()));
    } else if (!altKey && isCell && step && (isText || key === 'Enter')) {
      event.preventDefault();
      this.#goTo(target, step);
    } else if (isCell && key === 'Escape') this.#escape(event, line);
  };

  // Another row, in the same column.
  #goTo(target, step) {
    const all = [...this.#element.querySelectorAll(`[data-column="${CSS.escape(target.dataset.column)}"]`)];
    const next = all[all.indexOf(target) + step];
    next?.focus();
    next?.select?.();
  }

  #escape(event, line) {
    const column = this.#draft.columns.find(({ key }) => key === event.target.dataset.column);
    const cell = this.#draft.cell(line, column);
    if (!cell?.isChanged) return;
    event.preventDefault();
    this.#takenBack(line, column);
    // At once, and not with the next drawing, so that what the user types next replaces the text.
    event.target.value = cell.held;
    event.target.select?.();
  }

  // MARK: Leaving

  #close = () => {
    if (this.#draft.count === 0) return this.#desk.sheets.close();
    if (this.#isBusy) this.#isClosing = true;
    else this.#isLeaving = true;
    return this.#desk.redraw();
  };

  #leaving() {
    return confirmation({
      key: 'structure', title: t('structure.leave'), text: t('structure.leaveText', { count: this.#draft.count }),
      action: t('structure.discard'), confirm: this.#desk.sheets.close,
      close: () => {
        this.#isLeaving = false;
        this.#desk.redraw();
      },
    });
  }

  #mount = element => {
    this.#element = element;
    addEventListener('beforeunload', this.#guard);
    globalThis.navigation?.addEventListener('navigate', this.#guard);
  };

  // The browser asks before it leaves the page. When the user goes back within the page, the sheet asks, even if a form
  // or this question is over it.
  #guard = event => {
    if (!this.#desk.sheets.holds(this.back)) {
      removeEventListener('beforeunload', this.#guard);
      globalThis.navigation?.removeEventListener('navigate', this.#guard);
      return;
    }
    if (this.#draft.count === 0
      || (event.type === 'navigate' && (!event.cancelable || event.navigationType === 'replace'))) return;
    event.preventDefault();
    if (event.type !== 'navigate') return;
    this.#desk.sheets.open(this.back, null);
    this.#close();
  };
}
