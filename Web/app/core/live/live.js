// The live channel `gradecast.live.v1`: one socket, many topics. docs/live-protocol.md describes its phases.

import { hear, isOnline } from '../net/surroundings.js';
import { reconnectDelay, isFinal, silenceLimit } from './liveRules.js';

export class LiveChannel {
  #deps;
  #socket = null;
  #phase = 'idle';
  #attempts = 0;
  #watched = new Map();
  #timer = null;
  #silence = null;
  #ping = 25;
  #asOf = null;
  #stalled = false;
  #lastPing = null;
  /** Created when a page first asks for them. */
  #people = null;
  #collections = null;

  /** `deps`: `url` of the channel; `client`, its name and version; `ticket()`, which gives a token or a one-use ticket,
   *  or null for guests; `documents` (held documents); `fetch(topic, path)` for documents that are too large for a
   *  message; `onStatus`; `onEnded(topic, why)`; `onVerdict(code)`; and `signal`, which ends the channel for good. */
  constructor(deps) {
    this.#deps = deps;
    const { signal } = deps;
    hear('online', () => this.wake(), signal);
    hear('offline', () => this.#lost(1006), signal);
    hear('visible', () => this.wake(), signal);
    signal?.addEventListener('abort', () => this.#close());
  }

  /** Connects before the first `watch`, so that the socket is open by the time a page subscribes. */
  begin() {
    if (this.#phase === 'idle') this.#connect();
  }

  /** Keeps `topic` up to date until the returned function is called. */
  watch(topic) {
    this.#watched.set(topic, (this.#watched.get(topic) ?? 0) + 1);
    if (this.#watched.get(topic) === 1) this.#subscribe(topic);
    this.begin();
    let active = true;
    return () => {
      if (!active) return;
      active = false;
      const left = this.#watched.get(topic) - 1;
      if (left > 0) this.#watched.set(topic, left);
      else {
        this.#watched.delete(topic);
        this.#send({ t: 'unsub', topic });
      }
    };
  }

  /** Keeps the rows of a collection such as `grid/{class}` up to date (data/collections.js): `onRows` gets what is
   *  shown, at once if it is known. Resolves to a function that ends this. */
  async collection(topic, onRows) {
    const { createCollections } = await import('../data/collections.js');
    this.#collections ??= createCollections();
    const [stop, unwatch] = [this.#collections.follow(topic, onRows), this.watch(topic)];
    return () => {
      stop();
      unwatch();
    };
  }

  /** The people in collections (people.js); `create(send)` makes them for the first page that asks. */
  people(create) {
    return (this.#people ??= create(message => this.#send(message)));
  }

  /** Drops the rows of all collections because they belong to another account. */
  forget() {
    this.#collections?.clear();
  }

  /** Tries again at once: the network is back, the page became visible, or the user pressed Retry. */
  wake() {
    if (this.#phase !== 'waiting') return;
    clearTimeout(this.#timer);
    this.#connect();
  }

  /** Connects again after a final close code, because its cause is gone. */
  revive() {
    if (this.#phase === 'stopped') this.#rest(1006);
  }

  /** Reconnects as another account after a sign-in or sign-out. */
  restart() {
    clearTimeout(this.#timer);
    this.#attempts = 0;
    this.#asOf = null;
    this.#drop();
    this.#phase = 'idle';
    if (this.#watched.size > 0) this.#connect();
    else this.#report();
  }

  #close() {
    this.#watched.clear();
    this.restart();
  }

  async #connect(replacing = null) {
    if (!replacing) this.#enter('connecting');
    let token;
    try {
      token = await this.#deps.ticket();
    } catch {
      if (!replacing) this.#lost(1006);
      return;
    }
    if (!replacing && this.#phase !== 'connecting') return;
    const { url, client } = this.#deps;
    const socket = new WebSocket(url, 'gradecast.live.v1');
    this.#socket = socket;
    socket.onopen = () => {
      this.#people?.begin();
      this.#send(token ? { t: 'hello', token, client } : { t: 'hello', client });
      for (const topic of this.#watched.keys()) this.#subscribe(topic);
      replacing?.close(1000);
    };
    socket.onmessage = event => socket === this.#socket && this.#receive(JSON.parse(event.data));
    socket.onclose = event => socket === this.#socket && this.#lost(event.code);
    this.#listen();
  }

  #receive(message) {
    this.#listen();
    switch (message.t) {
      case 'welcome':
        this.#ping = message.ping ?? 25;
        this.#attempts = 0;
        this.#stalled = false;
        this.#lastPing = null;
        this.#asOf = new Date();
        this.#enter('open');
        break;
      case 'state':
        this.#state(message);
        break;
      case 'rows':
        this.#collections?.accept(message);
        this.#people?.arrive(message.topic);
        if (!this.#stalled) this.#asOf = new Date();
        break;
      case 'presence':
        this.#people?.accept(message);
        break;
      case 'ping':
        this.#send({ t: 'pong', n: message.n });
        this.#fresh(message.asOf);
        break;
      case 'end':
        this.#end(message);
        break;
      case 'error':
        this.#refused(message);
        break;
      case 'drain':
        this.#timer = setTimeout(() => this.#connect(this.#socket), Math.random() * message.within);
        break;
    }
  }

  #state({ topic, e, v, doc, href }) {
    if (href) {
      this.#deps.fetch(topic, href);
      return;
    }
    if (doc !== undefined) this.#deps.documents.accept(topic, { e, v }, doc);
    if (!this.#stalled) this.#asOf = new Date();
  }

  // If the store fails, the server keeps the socket open but `asOf` stops; "live" would then be wrong.
  #fresh(asOf) {
    if (!asOf) return;
    const at = new Date(asOf);
    this.#stalled = this.#lastPing !== null && at <= this.#lastPing;
    this.#lastPing = at;
    this.#asOf = at;
    this.#report();
  }

  #end({ topic, why }) {
    if (why === 'unsub') return;
    this.#deps.documents.drop(topic);
    this.#collections?.drop(topic);
    this.#people?.drop(topic);
    if (why === 'reset') this.#subscribe(topic);
    else this.#deps.onEnded(topic, why);
  }

  // An error without a topic does not say which message was dropped. To subscribe again to what one has costs little.
  #refused({ topic, code, retry, after }) {
    const topics = topic ? [topic] : [...this.#watched.keys()];
    if (retry) setTimeout(() => topics.forEach(each => this.#subscribe(each)), after || 1000);
    else if (topic) this.#deps.onEnded(topic, code);
  }

  #subscribe(topic) {
    if (!this.#watched.has(topic)) return;
    const have = this.#collections?.place(topic) ?? this.#deps.documents.place(topic);
    this.#send(have ? { t: 'sub', topic, have } : { t: 'sub', topic });
  }

  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #listen() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#lost(4004), silenceLimit(this.#ping));
  }

  #lost(code) {
    if (this.#phase === 'idle' || this.#phase === 'stopped') return;
    this.#drop();
    clearTimeout(this.#timer);
    if (isFinal(code)) {
      this.#enter('stopped');
      this.#deps.onVerdict(code);
      return;
    }
    this.#rest(code);
  }

  #rest(code) {
    this.#timer = setTimeout(() => this.#connect(), reconnectDelay(this.#attempts++, code, Math.random()));
    this.#enter('waiting');
  }

  #drop() {
    clearTimeout(this.#silence);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#people?.lose();
  }

  #enter(phase) {
    this.#phase = phase;
    this.#report();
  }

  #report() {
    this.#deps.onStatus({ phase: this.#phase, asOf: this.#asOf, stalled: this.#stalled, online: isOnline() });
  }
}
