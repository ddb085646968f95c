@testable import SQLiteStore
import Shared
import Testing

@Suite struct `The log of changes of access` {
    private let mine = AccessSubject.program(ProgramID("mine"))
    private let other = AccessSubject.program(ProgramID("other"))

    @Test func `knows what has changed since a permit`() {
        var log = AccessLog(version: 7)
        log.note(mine)
        log.note(other)
        log.note(nil)
        #expect(log.version == 10)
        #expect((7...11).map { log.holds($0, restingOn: [mine]) } == [false, true, true, true, false])
        #expect((7...10).map { log.holds($0, restingOn: [mine, other]) } == [false, false, true, true])
        #expect(log.holds(7, restingOn: []))
        #expect(!log.holds(6, restingOn: []), "of what was before it, it knows nothing")
    }

    @Test func `takes back what did not come to pass`() {
        var log = AccessLog(version: 1)
        log.note(other)
        log.note(mine)
        log.rewind(to: 2)
        #expect(log.version == 2 && log.holds(1, restingOn: [mine]))
        log.note(mine)
        #expect(!log.holds(2, restingOn: [mine]))
        log.rewind(to: 1)
        #expect(log.version == 1 && log.holds(1, restingOn: [other, mine]))
    }

    @Test func `is bounded, and takes what it has forgotten for a change`() {
        var log = AccessLog(version: 0)
        for _ in 0..<2 * AccessLog.kept {
            log.note(other)
            log.forgetOld()
        }
        #expect(log.version == 2 * AccessLog.kept)
        #expect(log.holds(AccessLog.kept, restingOn: [mine]))
        #expect(!log.holds(AccessLog.kept - 1, restingOn: [mine]))
    }
}
