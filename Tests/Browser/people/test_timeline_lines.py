"""The lines of the timeline, without a server: what is shown, what waits, what is seen, and what friends share."""

LINES = """async () => {
    const { Lines } = await import('/app/pages/timeline/lines.js');
    const { createDocuments } = await import('/app/core/data/documents.js');
    const { createStore } = await import('/app/core/values/store.js');
    const { Problem, Unreachable } = await import('/app/core/net/http.js');
    const store = createStore({ ended: {} });
    const documents = createDocuments(topic => isOpen && lines.changed(topic));
    let isOpen = false;
    const [asked, seen, watched] = [[], [], []];
    const answers = new Map();
    const at = minute => `2026-01-01T10:${String(minute).padStart(2, '0')}:00.000Z`;
    const item = (id, minute, more = {}) => ({ id: String(id), at: at(minute), type: 'grade.entered', ...more });
    const friend = (id, minute) => item(id, minute, { type: 'friend.headline', record: { id: `r-${id}`, scheme: null } });
    const feed = (items, next = null, last = null) => ({ items, next, unread: 0, seen: last });
    let version = 0;
    const answer = body => ({ body, place: { e: 'e', v: ++version } });
    const tell = doc => documents.accept('feed/ada', { e: 'e', v: ++version }, doc);
    const http = {
        get: async (path, options) => {
            asked.push([path, options?.as]);
            const found = await answers.get(path);
            if (found instanceof Error) throw found;
            return answer(found);
        },
        put: async (path, { at }, options) => seen.push([at, options?.as]),
    };
    const live = { watch: topic => {
        watched.push(topic);
        return () => watched.splice(watched.indexOf(topic), 1);
    } };
    const app = { http, documents, store, live, redraw() {}, catalogue: { scheme: async () => null } };
    const lines = new Lines(app, 'ada');
    const end = (topic, why) => {
        documents.drop(topic);
        store.set({ ended: { ...store.state.ended, [topic]: why } });
    };
    const ids = () => lines.shown.map(({ id }) => id).join(' ');
    const later = () => new Promise(resolve => setTimeout(resolve));
    const start = async doc => {
        answers.set('/v1/feed', doc);
        await lines.start();
        isOpen = true;
    };
    STEPS
}"""


def after(page, steps):
    return page.evaluate(LINES.replace("STEPS", steps))


def test_older_lines_that_arrive_late_do_not_follow_a_list_that_was_begun_again(anywhere):
    steps = """
        await start(feed([item(3, 3), item(2, 2)], 'old'));
        let release;
        answers.set('/v1/feed?cursor=old', new Promise(resolve => { release = resolve; }));
        const more = lines.more();
        tell(feed([item(9, 9), item(8, 8)], 'new'));
        await lines.takeFresh();
        release(feed([item(1, 1)], 'older'));
        await more;
        return [ids(), lines.next];
    """
    assert after(anywhere, steps) == ["9 8", "new"]


def test_an_announcement_that_was_made_here_is_shown_at_once_and_other_news_waits(anywhere):
    steps = """
        const made = item(5, 5, { announcement: { id: 'a', text: 'Friday' } });
        await start(feed([item(1, 1)]));
        tell(feed([item(2, 2), item(1, 1)]));
        const before = [ids(), lines.fresh];
        await lines.announced('a');
        const early = [ids(), lines.fresh];
        tell(feed([made, item(2, 2), item(1, 1)]));
        await later();
        const after = [ids(), lines.fresh];
        tell(feed([item(6, 6, { announcement: { id: 'b', text: 'x' } }), made, item(2, 2), item(1, 1)]));
        await later();
        return [before, early, after, [ids(), lines.fresh]];
    """
    assert after(anywhere, steps) == [["1", 1], ["1", 1], ["5 2 1", 0], ["5 2 1", 1]]


def test_an_announcement_whose_line_came_before_the_answer_is_shown_then(anywhere):
    steps = """
        await start(feed([item(1, 1)]));
        tell(feed([item(2, 2, { announcement: { id: 'a', text: 'Friday' } }), item(1, 1)]));
        const before = lines.fresh;
        await lines.announced('a');
        return [before, ids(), lines.fresh];
    """
    assert after(anywhere, steps) == [1, "2 1", 0]


def test_a_document_that_comes_while_lines_are_prepared_is_not_overwritten_by_the_one_before(anywhere):
    steps = """
        await start(feed([item(2, 2)], 'old'));
        const gates = [];
        app.catalogue.scheme = () => new Promise(resolve => gates.push(resolve));
        tell(feed([item(3, 3, { record: { id: 'r', scheme: 'slow' } }), item(2, 2)], 'old'));
        const taken = lines.takeFresh();
        tell(feed([item(4, 4), item(3, 3), item(2, 2)], 'old'));
        for (const open of gates) open(null);
        await taken;
        return [ids(), lines.fresh];
    """
    assert after(anywhere, steps) == ["4 3 2", 0]


def test_a_list_with_lines_between_it_and_the_newest_is_begun_again_although_one_of_its_lines_moved(anywhere):
    steps = """
        await start(feed([item(2, 2), item(1, 1)], 'old'));
        tell(feed([item(9, 9), item(1, 8)], 'new'));
        await lines.takeFresh();
        return [ids(), lines.next];
    """
    assert after(anywhere, steps) == ["9 1", "new"]


def test_lines_as_old_as_the_oldest_of_the_document_stay(anywhere):
    steps = """
        await start(feed([item(3, 3), item(2, 2)], 'old'));
        answers.set('/v1/feed?cursor=old', feed([item(1, 2), item(0, 1)]));
        await lines.more();
        tell(feed([item(3, 3), item(2, 2)], 'old'));
        return ids();
    """
    assert after(anywhere, steps) == "3 2 1 0"


def test_what_is_missing_from_a_document_without_a_next_page_is_gone(anywhere):
    steps = """
        await start(feed([item(3, 3), item(2, 2), item(1, 1)]));
        tell(feed([item(3, 3)]));
        return ids();
    """
    assert after(anywhere, steps) == "3"


def test_a_line_that_others_joined_is_seen_and_one_that_waits_is_not(anywhere):
    steps = """
        await start(feed([item(2, 2), item(1, 1)]));
        tell(feed([item(1, 5), item(2, 2)]));
        tell(feed([item(1, 9), item(4, 7), item(2, 2)]));
        await later();
        return [seen, lines.fresh];
    """
    told = [["2026-01-01T10:02:00.000Z", "ada"], ["2026-01-01T10:05:00.000Z", "ada"]]
    assert after(anywhere, steps) == [told, 1]


def test_what_another_device_has_seen_counts_and_what_this_one_has_told_does_not(anywhere):
    steps = """
        await start(feed([item(2, 2), item(1, 1)]));
        tell(feed([item(2, 2), item(1, 1)], null, at(2)));
        const own = lines.shown.filter(line => lines.isUnread(line)).length;
        tell(feed([item(2, 2), item(1, 1)], null, at(3)));
        return [own, lines.shown.filter(line => lines.isUnread(line)).length];
    """
    assert after(anywhere, steps) == [2, 0]


def test_every_request_is_that_of_the_person_whose_timeline_it_is(anywhere):
    steps = """
        answers.set('/v1/records/r-2/shared', { figures: {}, outcomes: {} });
        answers.set('/v1/feed?cursor=old', feed([]));
        await start(feed([friend(2, 2)], 'old'));
        await lines.more();
        return asked;
    """
    paths = ["/v1/feed", "/v1/records/r-2/shared", "/v1/feed?cursor=old"]
    assert after(anywhere, steps) == [[path, "ada"] for path in paths]


def test_a_request_that_fails_hides_no_line_and_a_refusal_does(anywhere):
    steps = """
        answers.set('/v1/records/r-1/shared', new Unreachable('lost'));
        answers.set('/v1/records/r-2/shared', new Problem(503, { code: 'unavailable' }));
        answers.set('/v1/records/r-3/shared', new Problem(404, { code: 'not_found' }));
        await start(feed([friend(3, 3), friend(2, 2), friend(1, 1)]));
        return [1, 2, 3].map(id => lines.shared(`r-${id}`) === null).concat(watched.sort());
    """
    assert after(anywhere, steps) == [False, False, True, "feed/ada", "shared/r-1", "shared/r-2"]


def test_what_is_shared_once_more_is_followed_once_more(anywhere):
    steps = """
        answers.set('/v1/records/r-1/shared', { figures: {}, outcomes: {} });
        await start(feed([friend(1, 1)]));
        end('shared/r-1', 'revoked');
        const hidden = lines.shared('r-1');
        tell(feed([friend(1, 2)]));
        await later();
        return [hidden, lines.shared('r-1'), store.state.ended, watched.sort()];
    """
    shared = {"figures": {}, "outcomes": {}}
    assert after(anywhere, steps) == [None, shared, {}, ["feed/ada", "shared/r-1"]]


def test_more_records_than_a_connection_follows_hide_no_line(anywhere):
    steps = """
        const items = Array.from({ length: 300 }, (_, index) => friend(index, 59 - Math.floor(index / 6)));
        for (const { record } of items) answers.set(`/v1/records/${record.id}/shared`, { figures: {}, outcomes: {} });
        await start(feed(items));
        end('shared/r-7', 'limit');
        return [watched.length, items.filter(({ record }) => lines.shared(record.id) === null).length];
    """
    assert after(anywhere, steps) == [201, 0]


def test_a_timeline_that_is_closed_while_it_loads_follows_nothing(anywhere):
    steps = """
        let release;
        answers.set('/v1/feed', feed([friend(1, 1)]));
        answers.set('/v1/records/r-1/shared', new Promise(resolve => { release = resolve; }));
        const started = lines.start();
        await later();
        lines.close();
        release({ figures: {}, outcomes: {} });
        await started;
        return [watched, seen];
    """
    assert after(anywhere, steps) == [[], []]
