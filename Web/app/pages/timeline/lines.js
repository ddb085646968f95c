// The lines of the timeline: what is shown, what is new and not shown yet, and what has been seen.
//
// The live document has the newest lines. A line that is shown already is replaced in place; a new one waits until the
// user asks for it, so that nothing moves while the user reads. Older lines are loaded page by page. A line keeps its
// id, so none appears twice.

import { begin } from '../../core/live/ended.js';
import { schemeNamed } from '../../parts/program/programScheme.js';
import { Friends } from './friends.js';

export class Lines {
  #app;
  #account;
  #topic;
  #friends;
  #stop = () => {};
  #isClosed = false;
  #end = null;
  // The time up to which this page has told the server that lines were seen.
  #put = null;
  // The time of the newest line when lines were last added at the top: later ones wait.
  #top = '';
  // Counts the lists that were begun: an answer for an earlier one is dropped.
  #list = 0;
  #waiting = [];
  // The announcement that was made on this page, until its line is there.
  #made = null;
  /** The lines on the page, newest first. */
  shown = [];
  /** The address of the older lines; null at the end. */
  next = null;
  /** The time up to which lines counted as seen when they were shown. */
  mark = null;
  /** Why lines could not be loaded, and the function that tries again. */
  problem = null;
  retry = null;
  isLoading = false;
  isRefreshing = false;
  /** The schemes of the lines' records, by program; null if one is not known. */
  schemes = new Map();

  constructor(app, account) {
    this.#app = app;
    this.#account = account;
    this.#topic = `feed/${account}`;
    this.#friends = new Friends(app, account);
  }

  async start() {
    begin(this.#app, this.#topic);
    await this.#load();
    this.mark = this.#doc.seen;
    await this.#take();
    if (!this.#isClosed) this.#stop = this.#app.live.watch(this.#topic);
  }

  close() {
    this.#isClosed = true;
    this.unwatchEnd();
    this.#stop();
    this.#friends.close();
  }

  get #doc() {
    return this.#app.documents.get(this.#topic)?.doc ?? { items: [], next: null, unread: 0, seen: null };
  }

  /** The number of lines that wait at the top. */
  get fresh() {
    return this.#waiting.length;
  }

  /** The number of unread lines, over all devices. */
  get unread() {
    return this.#doc.unread;
  }

  isUnread(line) {
    return this.mark === null || line.at > this.mark;
  }

  async #load() {
    // Another person may have signed in: an answer for one account must not be shown to another.
    const { body, place } = await this.#app.http.get('/v1/feed', { as: this.#account });
    if (!this.#isClosed) this.#app.documents.accept(this.#topic, place, body);
  }

  // Shows the newest lines; older ones that were loaded stay if there is no gap in between.
  async #take() {
    await this.#prepare(this.#doc.items);
    if (this.#isClosed) return;
    // The document may have changed in the meantime.
    const { items, next } = this.#doc;
    const oldest = items.at(-1)?.at ?? '';
    if (this.shown.length > 0 && items.length > 0 && oldest <= this.#top) {
      this.shown = [...items, ...this.#older(items, next)];
    } else {
      this.#list += 1;
      this.shown = [...items];
      this.next = next;
    }
    this.#top = items[0]?.at ?? '';
    this.#waiting = [];
    this.#app.redraw();
    this.see();
  }

  // The lines on the page that are older than those of the document. A line missing among the newest may no longer be
  // read; if there is no next page, the document has all lines.
  #older(items, next) {
    const ids = new Set(items.map(item => item.id));
    const oldest = items.at(-1)?.at ?? '';
    return next === null ? [] : this.shown.filter(line => !ids.has(line.id) && line.at <= oldest);
  }

  /** Handles a document that has changed. */
  changed(topic) {
    if (topic !== this.#topic) return this.#app.redraw();
    const { items, next, seen } = this.#doc;
    // Another device has seen more than this one.
    if (seen > (this.#put ?? '') && seen > (this.mark ?? '')) this.mark = seen;
    if (this.shown.length === 0) return this.#take();
    const known = new Map(items.map(item => [item.id, item]));
    const older = new Set(this.#older(items, next));
    this.shown = this.shown.filter(line => known.has(line.id) || older.has(line))
      .map(line => known.get(line.id) ?? line);
    if (next === null) this.next = null;
    const here = new Set(this.shown.map(line => line.id));
    this.#waiting = items.filter(item => !here.has(item.id) && item.at >= this.#top);
    if (this.#isMadeWaiting) return this.takeFresh();
    // A line that others have joined gets the time of the latest.
    this.see();
    this.#prepare(items).then(this.#app.redraw);
  }

  /** Adds the waiting lines at the top. */
  async takeFresh() {
    this.#made = null;
    this.mark = this.#doc.seen;
    await this.#take();
    scrollTo(0, 0);
  }

  get #isMadeWaiting() {
    return this.#made !== null && this.#waiting.some(item => item.announcement?.id === this.#made);
  }

  /** Shows an announcement that was made on this page: its line does not wait. */
  async announced(id) {
    this.#made = id;
    if (this.#isMadeWaiting) await this.takeFresh();
  }

  /** Requests the newest lines again. */
  async refresh() {
    if (this.isRefreshing) return;
    this.isRefreshing = true;
    this.problem = null;
    this.#app.redraw();
    try {
      await this.#load();
      await this.#take();
    } catch (error) {
      this.#failed(error, () => this.refresh());
    }
    this.isRefreshing = false;
    this.#app.redraw();
  }

  // After a failure, `retry` tries again.
  #failed(error, again) {
    this.problem = error;
    this.retry = again;
  }

  /** Loads older lines. */
  async more() {
    if (this.isLoading || !this.next) return;
    this.isLoading = true;
    this.problem = null;
    this.#app.redraw();
    const list = this.#list;
    try {
      const path = `/v1/feed?cursor=${encodeURIComponent(this.next)}`;
      const { items, next } = (await this.#app.http.get(path, { as: this.#account })).body;
      await this.#prepare(items);
      if (list === this.#list) {
        const here = new Set(this.shown.map(line => line.id));
        this.shown = [...this.shown, ...items.filter(item => !here.has(item.id))];
        this.next = next;
      }
    } catch (error) {
      if (list === this.#list) this.#failed(error, () => this.more());
    }
    this.isLoading = false;
    this.#app.redraw();
    if (!this.problem && this.#end && this.#isInView) this.more();
  }

  #isInView = false;

  /** Loads more whenever an element comes into view. */
  watchEnd(element) {
    this.#end = new IntersectionObserver(([entry]) => {
      this.#isInView = entry.isIntersecting;
      if (entry.isIntersecting && !this.problem) this.more();
    }, { rootMargin: '300px' });
    this.#end.observe(element);
  }

  unwatchEnd() {
    this.#end?.disconnect();
    this.#end = null;
    this.#isInView = false;
  }

  /** Tells the server that the lines on the page have been seen, up to the first that waits. */
  async see() {
    const first = this.#waiting.reduce((least, { at }) => (at < least ? at : least), '~');
    const at = this.shown.reduce((most, line) => (line.at > most && line.at < first ? line.at : most), '');
    if (this.#isClosed || document.hidden || at <= (this.#doc.seen ?? '') || at <= (this.#put ?? '')) return;
    const before = this.#put;
    this.#put = at;
    // If this request fails, the time is sent with that of the next line.
    await this.#app.http.put('/v1/feed/seen', { at }, { as: this.#account }).catch(() => {
      if (this.#put === at) this.#put = before;
    });
  }

  // Loads what lines need to be drawn: the texts of their schemes, and, live, what friends share.
  async #prepare(items) {
    if (this.#isClosed) return;
    const unknown = new Map(items.filter(({ record, program }) => record?.scheme && program
      && !this.schemes.has(program.id))
      .map(({ record, program }) => [program.id, record.scheme]));
    const all = [...items, ...this.shown].sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
    const records = all.filter(item => item.type === 'friend.headline').map(item => item.record.id);
    await Promise.all([...unknown].map(async ([program, scheme]) => {
      this.schemes.set(program, await schemeNamed(this.#app, scheme, program).catch(() => null));
    }));
    if (!this.#isClosed) await this.#friends.follow(records);
  }

  /** What a friend shares of a record: null if it is no longer shared, undefined if that is not known here. */
  shared(id) {
    return this.#friends.of(id);
  }
}
