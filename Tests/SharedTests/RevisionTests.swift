import Shared
import Testing

@Suite struct `A revision` {
    @Test func `is written as epoch, dot, version and read back`() {
        let revision = Revision(epoch: Epoch("k3"), version: 44)
        #expect(revision.description == "k3.44")
        #expect(Revision(text: "k3.44") == revision)
    }

    @Test(arguments: [
        "", ".", "k3", "k3.", ".44", "k3.-1", "k3.+1", "k3.044", "k3.4 ", "k 3.4", "k3.99999999999999999999", "k-3.4",
        "k3.4.4", "é.1", String(repeating: "k", count: 33) + ".1",
    ])
    func `that is anything else is not read`(text: String) {
        #expect(Revision(text: text) == nil)
    }
}

@Suite struct `An instant` {
    @Test func `is ordered and moved by seconds`() {
        let now = Timestamp(microseconds: 1_000_000)
        #expect(now < now.adding(seconds: 1))
        #expect(now.adding(seconds: -1) == Timestamp(microseconds: 0))
    }

    @Test func `does not go beyond the last one`() {
        let last = Timestamp(microseconds: .max)
        #expect(last.adding(seconds: 1) == last)
        #expect(Timestamp(microseconds: 0).adding(seconds: .max) == last)
        #expect(Timestamp(microseconds: 0).adding(seconds: .min) == Timestamp(microseconds: .min))
    }
}
