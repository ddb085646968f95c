// From the draft to the rules in force: the draft is rehearsed over all records, then published as the next version;
// below are the versions there are and the moves of records between them.

import { h } from '../../core/page/dom.js';
import { date, dateTime, t } from '../../core/text/i18n.js';
import { help } from '../../parts/frame/help.js';
import { foundBy, publishCard, publishForm, refusedCard, sinceCard } from '../../parts/program/publish.js';
import { Rehearsals, rehearsalCard } from '../../parts/program/rehearsal.js';
import { Stale } from '../../parts/program/stale.js';
import { Sweeps, sweepList } from '../../parts/program/sweeps.js';
import { openSection } from './frame.js';

export const open = (app, { id }) => openSection(app, id, 'versions', async desk => {
  const page = new Versions(desk);
  await page.load();
  return page;
});

class Versions {
  #desk;
  #rehearsals;
  #moves;
  #stale;
  #form;
  #items = [];
  #since = null;
  #faults = [];
  /** How many publications were refused for faults of the rules. */
  #refusals = 0;

  constructor(desk) {
    this.#desk = desk;
    this.#rehearsals = new Rehearsals(desk.app, desk.id);
    this.#moves = new Sweeps(desk.app, `${desk.path}/moves`);
    this.#stale = new Stale(desk);
    this.#form = publishForm(desk.app.redraw, body => this.#confirmPublication(body));
  }

  async load() {
    const { oversees } = this.#desk;
    // Nobody waits for this: trying the laws takes a while.
    this.#check();
    await Promise.all([this.#list(), oversees && this.#rehearsals.load(), oversees && this.#moves.load(),
      oversees && this.#stale.load()]);
  }

  view() {
    const { program, scheme, manages, oversees } = this.#desk;
    return [
      help('version'),
      oversees && this.#stale.view(),
      program.draft && this.#faults.length > 0 && refusedCard(this.#faults, program, this.#refusals),
      oversees && program.draft && rehearsalCard(this.#rehearsals, program, scheme, manages),
      manages && program.draft && this.#rehearsals.covers(program) && publishCard(this.#form, program),
      manages && !program.draft && h('p', { class: 'muted' }, t('versions.noDraft'), ' ',
        h('a', { href: `/programs/${program.id}/rules` }, t('overview.rules'))),
      this.#since && sinceCard(this.#since, scheme, () => {
        this.#since = null;
        this.#desk.app.redraw();
      }),
      this.#moves.items.length > 0 && h('section', { class: 'card' },
        h('h2', null, t('program.moves')),
        sweepList(this.#moves, item => t('program.move', { version: item.version }))),
      this.#history(),
    ];
  }

  close() {
    this.#rehearsals.close();
    this.#stale.close();
    this.#moves.close();
  }

  async #list() {
    this.#items = (await this.#desk.app.http.get(`${this.#desk.path}/versions`)).body.items;
  }

  // What publishing would refuse of a document is shown before; if this cannot be asked now, publishing tells.
  async #check() {
    const { app, program, manages } = this.#desk;
    const rules = manages && program.draft?.configuration;
    if (!rules?.document) return;
    try {
      const { body } = await app.http.post('/v1/regulations/check', {
        document: rules.document, settings: rules.settings ?? {}, examples: false, laws: true,
      });
      if (this.#desk.program.draft?.configuration !== rules) return;
      this.#faults = foundBy(body);
      app.redraw();
    } catch {
      // What a publication was refused for stays.
    }
  }

  // Publishing cannot be undone; the form is sent after the user has read what will happen.
  #confirmPublication(body) {
    const { program } = this.#desk;
    const { counts, total } = this.#rehearsals.current;
    const version = (program.version ?? 0) + 1;
    const from = body.effectiveFrom;
    const isMove = ['move', 'move_closed'].includes(body.records);
    const staying = body.records === 'move' ? counts.closed : 0;
    const judged = body.records === 'move_closed' ? counts.closed : 0;
    this.#desk.ask({
      key: 'publish', title: t('publish.action', { version }), danger: judged > 0,
      action: judged > 0 ? t('publish.actionClosed', { version, count: judged }) : t('publish.action', { version }),
      about: [
        from ? t('publish.willFrom', { version, date: date(from) }) : t('publish.willNow', { version }),
        program.version && (isMove
          ? t('publish.willMove', {
            count: total - counts.refused - staying, changed: counts.records,
          }) : t('publish.willKeep',
            { count: total })),
        isMove && staying > 0 && t('publish.willStayClosed', { count: staying }),
        judged > 0 && t('publish.willJudgeClosed', { count: judged }),
        isMove && counts.refused > 0 && t('publish.willStayRefused', { count: counts.refused }),
        isMove && counts.outcomes > 0 && t('publish.willOutcomes', { count: counts.outcomes }),
        from ? t('publish.canWithdraw') : t('publish.cannotUndo'),
      ],
      confirm: () => this.#publish(body),
    });
  }

  async #publish(body) {
    const { app, path, place } = this.#desk;
    const { digest } = this.#rehearsals.current;
    this.#faults = [];
    let answer;
    try {
      answer = await app.http.post(`${path}/publish`, { digest, ...body }, { match: place });
    } catch (problem) {
      // Faults of the rules stay on the page, for they take work elsewhere.
      this.#faults = (problem.faults ?? []).filter(fault => fault.path?.startsWith('/configuration'));
      if (this.#faults.length === 0) throw problem;
      this.#refusals += 1;
      return;
    }
    this.#desk.take(answer);
    this.#rehearsals.forget();
    this.#since = answer.body.since.records > 0 ? answer.body.since : null;
    const { records: count } = answer.body.since;
    app.say(count === 0 ? t('publish.unchanged') : t('publish.done', { count }), 'good');
    await Promise.all([this.#list(), this.#moves.load()]);
  }

  #history() {
    const { program } = this.#desk;
    if (this.#items.length === 0) return null;
    return h('section', { class: 'card' },
      h('h2', null, t('program.versions')),
      h('ul', { class: 'rows' },
        this.#items.map(item => this.#row(item, program.waiting?.some(version => version.version === item.version)))));
  }

  #row(item, waits) {
    return h('li', { key: item.version },
      h('span', { class: 'grow' },
        h('strong', null, t('programs.version', { version: item.version, date: date(item.effectiveFrom) })),
        h('span', { class: 'muted' }, t('program.publishedAt', { at: dateTime(item.publishedAt) }))),
      item.version === this.#desk.program.version && h('span', { class: 'pill', 'data-state': 'met' },
        t('versions.inForce')),
      waits && h('span', { class: 'pill' }, t('sweep.waiting', { date: date(item.effectiveFrom) })),
      waits && this.#desk.manages && h('button', {
        class: 'button quiet small', type: 'button', onclick: () => this.#askWithdrawal(item),
      },
        t('program.withdraw', { version: item.version })));
  }

  #askWithdrawal({ version, effectiveFrom }) {
    this.#desk.ask({
      key: 'withdraw', title: t('program.withdraw', { version }), action: t('members.withdraw'), danger: true,
      about: [t('withdraw.will', { version, date: date(effectiveFrom) }), t('withdraw.draft')],
      confirm: async () => {
        const path = `${this.#desk.path}/versions/${version}`;
        this.#desk.take(await this.#desk.app.http.delete(path, { match: this.#desk.place }));
        await Promise.all([this.#list(), this.#moves.load()]);
      },
    });
  }
}
