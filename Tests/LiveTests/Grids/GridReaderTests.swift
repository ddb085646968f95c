import Shared
import Testing

@testable import Live

@Suite struct GridReaderTests {
    private let grid = Topic.grid(ClassID("C"))

    private func revision(_ version: Version) -> Revision { Revision(epoch: Epoch("k3"), version: version) }

    /// A bench whose reader holds version 41 of the grid.
    private func holding() -> ReaderBench {
        var bench = ReaderBench.open()
        bench.subscribe(grid)
        bench.read(41)
        bench.flush()
        _ = bench.take()
        return bench
    }

    /// A commit of that version; the hub hears its number alone.
    private func publish(_ version: Version, to bench: inout ReaderBench) {
        bench.hub.publish(TopicUpdate(topic: grid, revision: revision(version), change: .rows))
        bench.wake()
    }

    @Test func `who holds nothing gets all rows, and then what changed since`() {
        var bench = ReaderBench.open()
        bench.subscribe(grid)
        bench.read(41)
        #expect(bench.take() == [#"{"t":"rows","topic":"grid/C","e":"k3","from":0,"v":41,"s":1,"rows":[41]}"#])
        bench.flush()
        publish(42, to: &bench)
        bench.read(42)
        #expect(bench.take() == [#"{"t":"rows","topic":"grid/C","e":"k3","from":41,"v":42,"s":1,"rows":[42]}"#])
    }

    @Test func `a resume of nothing reads no rows`() {
        var bench = ReaderBench.open()
        bench.subscribe(grid, have: #"{"e":"k3","v":41}"#)
        let requests = bench.hub.takeReads()
        #expect(requests.map(\.kind) == [.version])
        bench.hub.finish(requests[0], .version(revision(41)))
        bench.wake()
        let answer = bench.take()
        #expect(answer == [#"{"t":"rows","topic":"grid/C","e":"k3","v":41}"#] && answer[0].utf8.count <= 64)
        #expect(!bench.hub.wantsReads)
    }

    @Test func `who holds more than there is starts over after a fresh look`() {
        var bench = holding()
        bench.subscribe(grid, have: #"{"e":"k3","v":50}"#)
        #expect(bench.take() == [] && bench.hub.wantsReads)
        bench.read(41)
        #expect(bench.take() == [#"{"t":"end","topic":"grid/C","why":"reset"}"#])
    }

    @Test func `the parts of a sequence follow each other as the client takes them`() {
        var bench = ReaderBench.open()
        bench.subscribe(grid)
        for request in bench.hub.takeReads() { bench.hub.finish(request, .version(revision(41))) }
        bench.wake()
        var requests = bench.hub.takeReads()
        #expect(requests.map(\.kind) == [.rows(RowsCursor(since: 0))])
        bench.hub.finish(requests[0], .rows(ReaderBench.rows(revision(41), next: 7)))
        bench.wake()
        #expect(bench.take().first?.hasSuffix(#""rows":[41],"more":true}"#) == true)
        // The next one is read meanwhile, and goes out as far as there is room.
        requests = bench.hub.takeReads()
        bench.flush()
        #expect(requests.map(\.kind) == [.rows(RowsCursor(since: 0, sequence: 41, after: 7))])
        // An act in between changes nothing about the sequence; what it changed comes behind it.
        publish(42, to: &bench)
        bench.hub.finish(requests[0], .rows(ReaderBench.rows(revision(41))))
        bench.wake()
        #expect(bench.take().map { $0.contains("more") } == [false])
        bench.flush()
        #expect(bench.hub.takeReads().map(\.kind) == [.rows(RowsCursor(since: 41))])
    }

    @Test func `what a store does not answer is asked again by reconciliation alone`() {
        var bench = holding()
        publish(42, to: &bench)
        for request in bench.hub.takeReads() { bench.hub.finish(request, .failed) }
        bench.wake()
        #expect(!bench.hub.wantsReads && bench.take() == [])
        bench.sweep(42)
        bench.read(42)
        #expect(bench.take().count == 1)
    }

    @Test func `nothing is sent while the right is in question, and nothing after it is gone`() {
        var bench = holding()
        bench.revoke(.topics([grid]))
        publish(42, to: &bench)
        bench.read(42)
        let asked = bench.requests
        #expect(bench.take() == [])
        for request in asked { bench.tell(.authorised(request, .denied)) }
        #expect(bench.take() == [#"{"t":"end","topic":"grid/C","why":"revoked"}"#])
        bench.flush()
        #expect(bench.hub.topicCount == 0)
    }

    // MARK: Parts

    private func ready(_ parts: inout RowParts, _ cursor: RowsCursor, bytes: Int, serial: UInt32) {
        guard case .new = parts.want(cursor) else { return }
        parts.begin(cursor, serial: serial)
        let rows = LiveRows(revision: revision(50), structure: 1, items: Array(repeating: 0x20, count: bytes))
        parts.keep(RowsMessage(rows, since: cursor.since, of: grid), at: cursor, within: 1_000)
    }

    @Test func `readers that hold the same version share one part, which is let go unused`() {
        var parts = RowParts()
        let cursor = RowsCursor(since: 41)
        ready(&parts, cursor, bytes: 100, serial: 1)
        #expect(parts.take(cursor) === parts.take(cursor))
        parts.letGo()
        #expect(parts.take(cursor) != nil)
        parts.letGo()
        parts.letGo()
        #expect(parts.take(cursor) == nil)
    }

    @Test func `who comes late gets the newest rows at once, not those of an older version first`() {
        var bench = holding()
        publish(42, to: &bench)
        bench.read(42)
        bench.flush()
        _ = bench.take()
        bench.subscribe(grid)
        bench.read(42)
        #expect(bench.take() == [#"{"t":"rows","topic":"grid/C","e":"k3","from":0,"v":42,"s":1,"rows":[42]}"#])
    }

    @Test func `used parts above the limit go, and what a reader waits for stays`() {
        var parts = RowParts()
        for version in 0..<4 { ready(&parts, RowsCursor(since: version), bytes: 800, serial: UInt32(version)) }
        #expect((0..<4).allSatisfy { parts.take(RowsCursor(since: $0)) != nil })
        ready(&parts, RowsCursor(since: 9), bytes: 800, serial: 9)
        #expect((0..<4).allSatisfy { parts.take(RowsCursor(since: $0)) == nil })
        #expect(parts.take(RowsCursor(since: 9)) != nil)
    }

    @Test func `there are never more than 64 parts, and who finds no room waits`() {
        var parts = RowParts()
        for version in 0..<64 { #expect(parts.want(RowsCursor(since: version)) == .new) }
        #expect(parts.want(RowsCursor(since: 64)) == .known)
        #expect(parts.wanted.count == 64)
    }

    @Test func `the rows of groups are found by their class, as long as anyone follows them`() {
        var bench = ReaderBench.open()
        let group = Topic.grid(ClassID("C"), GroupID("G"))
        #expect(bench.hub.grids(of: ClassID("C")) == [])
        bench.subscribe(grid)
        bench.subscribe(group)
        #expect(bench.hub.grids(of: ClassID("C")) == [grid, group])
        #expect(bench.hub.grids(of: ClassID("D")) == [])
        // What concerns the class concerns those who follow a group.
        bench.revoke(.topics([grid]))
        #expect(bench.requests.map(\.topic) == [grid, group])
        bench.say(#"{"t":"unsub","topic":"grid/C"}"#)
        bench.flush()
        #expect(bench.hub.grids(of: ClassID("C")) == [group])
        #expect(!bench.hub.revoke(.topics([grid])).isEmpty)
        bench.say(#"{"t":"unsub","topic":"grid/C/G"}"#)
        bench.flush()
        #expect(bench.hub.grids(of: ClassID("C")) == [])
    }
}
