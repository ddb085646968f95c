"""A hundred orders of events for unsent edits: the page's own module in two tabs, against a model of the server.

`test_orders.py` plays a few orders in whole browsers. Here a tab is an `Edits` object of its own, with the storage
and the seals of the real page; the model has the record, the keys that it answered, the session and the line.
`GRADECAST_SEED` sets the first seed, `GRADECAST_ORDERS` the number of orders.
"""

import os

import pytest

FIRST = int(os.environ.get("GRADECAST_SEED", "1"))
COUNT = max(100, int(os.environ.get("GRADECAST_ORDERS", "0")))

PLAY = """async ([first, count]) => {
    const { Edits } = await import('/app/core/edits/edits.js');
    const { EditShelf } = await import('/app/core/edits/editShelf.js');
    const { isUnsent, pendingName } = await import('/app/core/edits/editRules.js');
    const { createDocuments } = await import('/app/core/data/documents.js');
    const { Problem, Unreachable } = await import('/app/core/net/http.js');
    const { createSeal } = await import('/app/core/storage/seal.js');
    const { createStore } = await import('/app/core/values/store.js');
    const { applied, find } = await import('/app/core/values/tree.js');

    const below = seed => { let s = seed * 2654435761 >>> 0; return n => (s = Math.imul(s ^ (s >>> 15), 0x2c1b3c6d) + 0x9e3779b9 >>> 0) % n; };
    const [owner, other] = [{ id: 'owner' }, { id: 'other' }];
    const seals = { owner: await createSeal('A'.repeat(43)), other: await createSeal('B'.repeat(42) + 'A') };
    const [topic, record, never] = ['record/R', 'R', new Promise(() => {})];
    // The storage tells other tabs; and what is asked of the browser's cryptography comes in later turns.
    const turns = async () => { for (let turn = 0; turn < 4; turn += 1) await new Promise(resolve => { const { port1, port2 } = new MessageChannel(); port1.onmessage = resolve; port2.postMessage(0); }); };
    const told = async () => { dispatchEvent(new StorageEvent('storage', { key: null })); await turns(); };

    // Locks as browsers have them: a tab that closes leaves what it held. Whose request it is, `acting` says.
    let acting = null;
    let queue = [];
    const locks = { request: (name, { ifAvailable }, work) => new Promise((resolve, reject) => {
        if (ifAvailable && queue.length > 0) return resolve(work(null));
        queue.push({ tab: acting, begin: async () => {
            try { resolve(await work({})); } catch (error) { reject(error); }
            queue.shift();
            queue[0]?.begin();
        } });
        if (queue.length === 1) queue[0].begin();
    }) };
    const leave = tab => {
        const wasFirst = queue[0]?.tab === tab;
        queue = queue.filter(each => each.tab !== tab);
        if (wasFirst) queue[0]?.begin();
    };
    const own = Object.getOwnPropertyDescriptor(Navigator.prototype, 'locks');
    Object.defineProperty(Navigator.prototype, 'locks', { configurable: true, get: () => locks });

    class Tab extends Edits {
        life;
        flush(options) {
            if (this.life.isGone) return never;
            acting = this;
            try { return super.flush(options); } finally { acting = null; }
        }
    }

    function server(dice) {
        const truth = { v: 1, entries: [], entered: [], refused: new Set(), keys: new Map(), session: 'owner', line: 'up', ids: 0 };
        const place = () => ({ e: 'k', v: truth.v });
        const enter = (method, path, body) => {
            const [, id] = /entries[/](.+)$/.exec(path) ?? [];
            if (method === 'POST') {
                const entry = { id: `e${truth.ids += 1}`, kind: body.kind, fields: body.fields, children: [] };
                truth.entries = [...truth.entries, entry];
                truth.entered.push(body.fields.title);
                truth.v += 1;
                return { version: truth.v, entry };
            }
            if (!truth.entries.some(entry => entry.id === id)) throw new Problem(404, { code: 'not_found', title: 'gone' });
            if (method === 'DELETE') truth.entries = truth.entries.filter(entry => entry.id !== id);
            else {
                truth.entries = truth.entries.map(entry => (entry.id === id ? { ...entry, fields: { ...entry.fields, ...body.fields } } : entry));
                truth.entered.push(body.fields.title);
            }
            truth.v += 1;
            return { version: truth.v };
        };
        const answer = (method, path, { body, match, key, as }) => {
            if (as !== truth.session) throw new Problem(401, { code: 'unauthenticated' });
            if (truth.line === 'busy') throw new Problem(503, { code: 'overloaded', retryable: true });
            if (method === 'GET') return { body: { record: { id: record, fields: {}, entries: structuredClone(truth.entries) } }, place: place() };
            const known = truth.keys.get(key);
            if (known) return known;
            if (truth.line === 'strict') {
                truth.refused.add(body.fields.title);
                throw new Problem(422, { code: 'invalid', title: 'Invalid', faults: [] });
            }
            if (match && match.v !== truth.v) throw new Problem(412, { code: 'version_conflict' });
            const entered = { body: enter(method, path, body), place: place() };
            truth.keys.set(key, entered);
            return entered;
        };
        const request = tab => async (method, path, options = {}) => {
            for (let turn = dice(3); turn > 0; turn -= 1) await Promise.resolve();
            if (tab.isGone) return never;
            if (truth.line === 'down') throw new Unreachable('down');
            let result;
            let problem;
            try { result = answer(method, path, options); } catch (error) { problem = error; }
            if (truth.line === 'lost') throw new Unreachable('lost');
            // What follows in the model happens while an answer is on its way.
            await turns();
            if (tab.isGone) return never;
            if (problem) throw problem;
            return structuredClone(result);
        };
        return { truth, request, place, enter };
    }

    async function story(seed) {
        localStorage.clear();
        queue = [];
        const dice = below(seed);
        const { truth, request, place, enter } = server(dice);
        const happened = [];
        const typed = [];
        const forms = new Set();
        let tabs = [];

        const open = async () => {
            const life = { isGone: false };
            life.end = new Promise(resolve => { life.leave = resolve; });
            const documents = createDocuments(() => {});
            const store = createStore({ account: owner, edits: [], connection: { kind: 'lost' } });
            const ask = request(life);
            const http = { request: ask, get: (path, options) => ask('GET', path, options) };
            const edits = new Tab({
                http, documents, account: () => store.state.account?.id, isLive: () => false,
                onChange: all => store.set({ edits: all }), waker: () => {},
            });
            edits.life = life;
            const tab = { life, store, documents, edits, author: null };
            tabs.push(tab);
            await take(tab);
            return tab;
        };
        // What the page does when it hears whose session it has.
        const take = tab => Promise.race([tab.life.end, taken(tab)]);
        const taken = async tab => {
            const account = { owner, other }[truth.session] ?? null;
            tab.store.set({ account });
            await tab.edits.open(account, account && seals[account.id]);
            if (tab.store.state.account === owner) {
                tab.author = tab.edits.author;
                await tab.edits.refresh(topic, record, 'owner').catch(() => {});
            }
        };
        const close = async tab => {
            await turns();
            tab.life.isGone = true;
            tab.life.leave();
            leave(tab.edits);
            tabs = tabs.filter(each => each !== tab);
            for (const form of [...forms].filter(each => each.tab === tab)) {
                forms.delete(form);
                // What was refused stood in its form again, and went with it.
                if (truth.refused.has(form.title)) typed.splice(typed.indexOf(form.title), 1);
            }
        };
        const seen = tab => {
            const held = tab.documents.get(topic);
            if (!held) return null;
            let document = held.doc.record;
            for (const edit of tab.edits.of(record).filter(isUnsent)) {
                let number = 0;
                document = applied(document, edit.ops, () => pendingName(edit, number += 1));
            }
            return { document, place: held.place };
        };
        const submit = (tab, ops, title) => {
            const shown = tab && seen(tab);
            if (!shown || !tab.author) return;
            typed.push(title);
            const form = { tab, title, sent: null };
            forms.add(form);
            form.sent = tab.edits.submit({ topic, record, ops, seen: shown.document, place: shown.place, author: tab.author }).catch(() => {
                // It stays in its form.
                typed.splice(typed.indexOf(title), 1);
            }).finally(() => forms.delete(form));
            return form.sent;
        };
        const any = () => tabs[dice(tabs.length)];
        const title = kind => `${kind} ${happened.length}`;
        const events = {
            add: () => submit(any(), [{ op: 'add', kind: 'course', fields: { title: title('Added') } }], title('Added')),
            rename: () => {
                const tab = any();
                const entries = (tab && seen(tab))?.document.entries ?? [];
                if (entries.length === 0) return null;
                return submit(tab, [{ op: 'patch', entry: entries[dice(entries.length)].id, fields: { title: title('Renamed') } }], title('Renamed'));
            },
            elsewhere: () => {
                if (truth.entries.length > 0) enter('PATCH', `/entries/${truth.entries[0].id}`, { fields: { title: title('Elsewhere') } });
            },
            deleteElsewhere: () => { if (truth.entries.length > 1) enter('DELETE', `/entries/${truth.entries[dice(truth.entries.length)].id}`); },
            down: () => { truth.line = 'down'; },
            lost: () => { truth.line = 'lost'; },
            busy: () => { truth.line = 'busy'; },
            strict: () => { truth.line = 'strict'; },
            up: () => { truth.line = 'up'; },
            flush: () => { any()?.edits.flush({ ifFree: dice(2) === 0 }); },
            look: () => { any()?.edits.refresh(topic, record, 'owner').catch(() => {}); },
            tab: () => (tabs.length < 3 ? open() : null),
            reload: async () => {
                const tab = any();
                await (tab && close(tab));
                await open();
            },
            close: () => (tabs.length > 1 ? close(any()) : null),
            end: () => { truth.session = null; },
            hear: () => Promise.all(tabs.map(take)),
            owner: () => { truth.session = 'owner'; return Promise.all(tabs.map(take)); },
            other: () => { truth.session = 'other'; return Promise.all(tabs.map(take)); },
            wait: () => told(),
        };
        const weights = { add: 6, rename: 5, elsewhere: 3, deleteElsewhere: 1, flush: 3, wait: 4, up: 3, owner: 3, reload: 2 };
        const bag = Object.keys(events).flatMap(name => Array(weights[name] ?? 1).fill(name));
        await open();
        const length = 8 + dice(25);
        for (let step = 0; step < length; step += 1) {
            const name = bag[dice(bag.length)];
            happened.push(name);
            const done = events[name]();
            // Some things happen while another is under way.
            if (dice(3) > 0) { await (name === 'add' || name === 'rename' ? turns() : done); await told(); }
        }
        // All is well again, and the owner is back.
        Object.assign(truth, { line: 'up', session: 'owner' });
        await Promise.all(tabs.map(take));
        if (tabs.length === 0) await open();
        for (let turn = 0; turn < 4000; turn += 1) {
            await Promise.all(tabs.map(tab => Promise.race([tab.life.end, tab.edits.flush()])));
            await told();
            if (forms.size === 0 && !tabs.some(tab => tab.edits.isWaiting)) break;
        }
        const kept = await new EditShelf('owner', seals.owner).list();
        const shown = kept.map(edit => edit.ops[0].fields?.title);
        for (const tab of [...tabs]) await close(tab);
        const order = `seed ${seed} (${happened.join(' ')})`;
        const faults = [];
        const waiting = kept.filter(isUnsent);
        if (waiting.length > 0) faults.push(`${order}: ${waiting.map(edit => edit.ops[0].fields.title)} waits for ever`);
        for (const name of typed) {
            const places = truth.entered.filter(each => each === name).length + shown.filter(each => each === name).length;
            if (places !== 1) faults.push(`${order}: “${name}” is in ${places} places; ${truth.entered}; ${shown}`);
        }
        return { faults, typed: typed.length, conflicts: kept.filter(({ state }) => state === 'conflict').length, refused: kept.filter(({ state }) => state === 'refused').length };
    }

    const found = { faults: [], typed: 0, conflicts: 0, refused: 0 };
    try {
        for (let seed = first; seed < first + count; seed += 1) {
            const one = await story(seed);
            found.faults.push(...one.faults);
            for (const name of ['typed', 'conflicts', 'refused']) found[name] += one[name];
        }
    } finally {
        Object.defineProperty(Navigator.prototype, 'locks', own);
        localStorage.clear();
    }
    return found;
}"""


@pytest.fixture
def bare(browser, url):
    """A page without the client, which would also react to every change of the storage."""
    page = browser.new_page(bypass_csp=True)
    page.goto(url + "/manifest.webmanifest")
    yield page
    page.close()


@pytest.mark.slow("plays a hundred orders of events; fewer meet fewer of the rare ones")
def test_in_no_order_is_anything_lost_or_entered_twice(bare):
    found = bare.evaluate(PLAY, [FIRST, COUNT])
    assert found["faults"] == []
    # The orders test something: much was typed, and there were conflicts and refusals to decide.
    assert found["typed"] > 2 * COUNT and found["conflicts"] > 0 and found["refused"] > 0
