import GradingKit
import GradingLaws
import RegulationLibrary
import Regulations
import Testing

/// Which entries of the documents that ship can be the root of a class.
@Suite struct MountTests {
    /// Of each document the kinds that stand in the record itself and cannot stand for the rows of a class. A unit of a BUT
    /// has no results of its own: those of resources count in several units. What a semester of a licence lacks is told by its
    /// units.
    private static let unmountable = [
        "but-year": ["ue: acquired of ue"], "licence-lmd": ["semester: passage of record"],
    ]

    @Test(arguments: LibraryTests.names)
    func `entries of the record can stand for rows`(name: String) throws {
        let rules = try #require(Regulation(Array(try Document.shipped(name).utf8)).rulebook)
        let laws = LawSuite(rules, records: 100, work: 60_000_000)
        let roots = rules.shape.kinds.filter { $0.parent == .record && $0.copies == nil }.map(\.kind)
        let found = roots.compactMap { laws.counterexample(toMounting: $0) }
        #expect(
            found.map { "\($0.kind): \($0.figure ?? "") of \($0.figureKind ?? "record")" } == Self.unmountable[name]
                ?? [])
    }
}
