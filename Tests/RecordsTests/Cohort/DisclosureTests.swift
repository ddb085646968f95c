@testable import Records
import Testing

@Suite struct DisclosureTests {
    @Test(
        arguments: [
            ([6, 7, 0], [6, 7, 0]), ([1, 5, 0], [nil, nil, nil]), ([20, 7, 3], [20, nil, nil]),
            ([20, 7, 5, 4], [20, 7, nil, nil]), ([20, 3, 2, 0], [20, nil, nil, nil]), ([7, 1], [nil, nil]),
            ([0, 9], [0, 9]),
            ([], []),
        ] as [([Int], [Int?])])
    func `small parts are hidden, and as many others as keep them from being worked out`(counts: [Int], told: [Int?]) {
        #expect(Disclosure(counts).told == told)
    }

    @Test func `members who are in no part are a part of which nothing is told`() {
        #expect(Disclosure([9, 8], apart: 1).told == [9, nil])
        #expect(Disclosure([9, 8], apart: 6).told == [9, 8])
    }

    @Test func `no part and no union of hidden parts is smaller than five, whatever the counts`() {
        var counts = [0, 0, 0, 0]
        while let place = counts.firstIndex(where: { $0 < 8 }) {
            for lower in 0..<place { counts[lower] = 0 }
            counts[place] += 1
            let told = Disclosure(counts).told
            let hidden = zip(counts, told).reduce(0) { $1.1 == nil ? $0 + $1.0 : $0 }
            #expect(hidden == 0 ? !told.contains(nil) : hidden >= 5 || !told.contains { $0 != nil }, "\(counts)")
            #expect(hidden == 0 || !told.contains { $0 ?? 5 < 5 }, "\(counts)")
        }
    }
}
