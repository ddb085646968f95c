import Shared
import Testing

@Suite struct `A cache of what permissions rest on` {
    private let news = AccessNews()
    private let mine = AccessSubject.account(AccountID("a")), other = AccessSubject.program(ProgramID("a"))

    @Test func `holds a value until something is heard of what it rests on`() {
        let cache = AccessCache<String, Int>(capacity: 10, news: news)
        cache.keep(1, for: "mine", restingOn: mine, readAt: cache.moment)
        cache.keep(2, for: "other", restingOn: other, readAt: cache.moment)
        #expect(cache.value("mine") == 1 && cache.value("other") == 2)
        news.tell(of: mine)
        #expect(cache.value("mine") == nil && cache.value("other") == 2)
        cache.keep(3, for: "mine", restingOn: mine, readAt: cache.moment)
        #expect(cache.value("mine") == 3)
    }

    @Test func `takes nothing that was read before a change`() {
        let cache = AccessCache<String, Int>(capacity: 10, news: news)
        let moment = cache.moment
        news.tell(of: mine)
        cache.keep(1, for: "mine", restingOn: mine, readAt: moment)
        #expect(cache.value("mine") == nil)
        cache.keep(2, for: "mine", restingOn: mine, readAt: cache.moment)
        cache.keep(1, for: "mine", restingOn: mine, readAt: moment)
        #expect(cache.value("mine") == 2, "what was read later stays")
    }

    @Test func `is bounded, and gives up what no longer holds first`() {
        let cache = AccessCache<Int, Int>(capacity: 10, news: news)
        for key in 0..<6 { cache.keep(key, for: key, restingOn: mine, readAt: cache.moment) }
        news.tell(of: mine)
        for key in 6..<11 { cache.keep(key, for: key, restingOn: other, readAt: cache.moment) }
        #expect((0..<11).filter { cache.value($0) != nil } == Array(6..<11))
        for key in 11..<1_000 { cache.keep(key, for: key, restingOn: other, readAt: cache.moment) }
        #expect((0..<1_000).count { cache.value($0) != nil } <= 10)
    }

    @Test func `holds nothing while other nodes' changes are not known, or after anything may have changed`() {
        let cache = AccessCache<String, Int>(capacity: 10, news: news)
        cache.keep(1, for: "mine", restingOn: mine, readAt: cache.moment)
        news.follow(until: .now - .seconds(1))
        #expect(cache.value("mine") == nil && !news.isFollowed)
        news.follow(until: .now + .seconds(600))
        #expect(cache.value("mine") == 1 && news.isFollowed)
        news.tellOfEverything()
        #expect(cache.value("mine") == nil)
    }

    @Test func `subjects that share a place cost each other a look-up, and nothing else`() {
        let narrow = AccessNews(places: 1)
        let cache = AccessCache<String, Int>(capacity: 10, news: narrow)
        cache.keep(1, for: "mine", restingOn: mine, readAt: cache.moment)
        narrow.tell(of: other)
        #expect(cache.value("mine") == nil)
    }
}
