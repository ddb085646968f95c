// The lines of the timeline: what is shown, what is new and not shown yet, and what has been seen.
//
// The live document has the newest lines. One that is shown already is replaced in its place; a new one waits until it is
// asked for, so that nothing moves under the reader. Older lines come page by page. A line keeps its id, so none appears
// twice.

export class Lines {
  #app;
  #topic;
  #stop = [];
  #end = null;
  #watched = new Set();
  #put = null;
  /** The lines on the page, the newest first. */
  shown = [];
  /** Where the older ones begin; null at the end. */
  next = null;
  /** How many lines wait at the top. */
  fresh = 0;
  /** Up to when lines counted as seen when they were shown. */
  mark = null;
  /** Why lines could not be loaded, and the function that tries again. */
  problem = null;
  retry = null;
  isLoading = false;
  isRefreshing = false;
  /** The schemes of the lines' records, by name. */
  schemes = new Map();

  constructor(app, topic) {
    this.#app = app;
    this.#topic = topic;
  }

  async start() {
    await this.#load();
    this.mark = this.#doc.seen;
    await this.#take();
    this.#stop.push(this.#app.live.watch(this.#topic));
  }

  close() {
    this.unwatchEnd();
    for (const stop of this.#stop) stop();
  }

  get #doc() {
    return this.#app.documents.get(this.#topic)?.doc ?? { items: [], next: null, unread: 0, seen: null };
  }

  /** How many lines are unread, on every device. */
  get unread() {
    return this.#doc.unread;
  }

  isUnread(line) {
    return this.mark === null || line.at > this.mark;
  }

  async #load() {
    const { body, place } = await this.#app.http.get('/v1/feed');
    this.#app.documents.accept(this.#topic, place, body);
  }

  // Shows the newest lines; what was loaded below stays if it follows on from them.
  async #take() {
    const { items, next } = this.#doc;
    const isConnected = this.shown.length > 0 && items.some(item => this.shown.some(line => line.id === item.id));
    await this.#prepare(items);
    if (isConnected) {
      const ids = new Set(items.map(item => item.id));
      const oldest = items.at(-1).at;
      this.shown = [...items, ...this.shown.filter(line => !ids.has(line.id) && line.at <= oldest)];
    } else {
      this.shown = [...items];
      this.next = next;
    }
    this.fresh = 0;
    this.#app.redraw();
    this.see();
  }

  /** Takes in a document that has changed. */
  changed(topic) {
    if (topic !== this.#topic) return this.#app.redraw();
    const { items, seen } = this.#doc;
    // Another device has seen them.
    if (seen !== this.#put && seen > (this.mark ?? '')) this.mark = seen;
    if (this.shown.length === 0) return this.#take();
    const known = new Map(items.map(item => [item.id, item]));
    const oldest = items.at(-1)?.at ?? '';
    const newest = this.shown[0].at;
    // What is missing among the newest may no longer be read.
    this.shown = this.shown.filter(line => known.has(line.id) || line.at < oldest || items.length === 0)
      .map(line => known.get(line.id) ?? line);
    if (items.length === 0) this.shown = [];
    const here = new Set(this.shown.map(line => line.id));
    this.fresh = items.filter(item => !here.has(item.id) && item.at >= newest).length;
    this.#prepare(items).then(this.#app.redraw);
  }

  /** Shows the lines that wait, at the top. */
  async takeFresh() {
    this.mark = this.#doc.seen;
    await this.#take();
    scrollTo(0, 0);
  }

  /** Asks the server again. */
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

  // What failed can be tried again; `retry` does.
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
    try {
      const { items, next } = (await this.#app.http.get(`/v1/feed?cursor=${encodeURIComponent(this.next)}`)).body;
      await this.#prepare(items);
      const here = new Set(this.shown.map(line => line.id));
      this.shown = [...this.shown, ...items.filter(item => !here.has(item.id))];
      this.next = next;
    } catch (error) {
      this.#failed(error, () => this.more());
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

  /** Tells the server that the lines on the page have been seen. */
  async see() {
    const at = this.shown[0]?.at;
    if (!at || document.hidden || at <= (this.#doc.seen ?? '') || at === this.#put) return;
    this.#put = at;
    // A moment that does not arrive now goes with that of the next line.
    await this.#app.http.put('/v1/feed/seen', { at }).catch(() => {
      this.#put = null;
    });
  }

  // What lines need to be drawn: the words of their schemes, and what friends share, live.
  async #prepare(items) {
    const names = new Set(items.map(item => item.record?.scheme).filter(name => name && !this.schemes.has(name)));
    await Promise.all([...names].map(async name => {
      this.schemes.set(name, await this.#app.catalogue.scheme(name).catch(() => null));
    }));
    const records = items.filter(item => item.type === 'friend.headline').map(item => item.record.id);
    await Promise.all([...new Set(records)].filter(id => !this.#watched.has(id)).map(id => this.#follow(id)));
  }

  async #follow(id) {
    this.#watched.add(id);
    const topic = `shared/${id}`;
    try {
      const { body, place } = await this.#app.http.get(`/v1/records/${id}/shared`);
      this.#app.documents.accept(topic, place, body);
      this.#stop.push(this.#app.live.watch(topic));
    } catch {
      this.#watched.delete(id);
    }
  }

  /** What a friend shares of a record; null if it is shared no more. */
  shared(id) {
    const topic = `shared/${id}`;
    return this.#app.store.state.ended[topic] ? null : this.#app.documents.get(topic)?.doc ?? null;
  }
}
