import Chalkboard
import GradingKit
import GradingLaws
import IUT
import RoseHulman
import SchemeHost
import SchemeTestKit
import TestKit
import Testing

/// The schemes that ship, once as part of this process and once in one of their own.
@Suite struct ParityTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private static var builtin: [InstalledScheme] {
        [InstalledScheme(Chalkboard.self), InstalledScheme(RoseHulman.self), InstalledScheme(IUT.self)]
    }

    private func remote(_ scheme: InstalledScheme) throws -> InstalledScheme {
        try InstalledScheme(try Program.host(try Program.fixture(scheme.identifier.text, in: folder)))
    }

    @Test(arguments: 0..<3)
    func `a scheme says the same of itself`(number: Int) throws {
        let scheme = Self.builtin[number]
        let remote = try remote(scheme)
        #expect(remote.description == scheme.description)
        #expect(remote.presets == scheme.presets)
        for preset in scheme.presets {
            let (own, other) = (try scheme.rulebook(preset: preset), try remote.rulebook(preset: preset))
            #expect(own.configuration == other.configuration)
            #expect(own.warnings == other.warnings)
            #expect(own.templates == other.templates)
        }
    }

    @Test(arguments: 0..<3)
    func `a scheme keeps the laws from afar, and says the same of every record`(number: Int) throws {
        let scheme = Self.builtin[number]
        let rules = try remote(scheme).rulebook()
        let laws = LawSuite(rules, seed: 3, records: 25)
        #expect(laws.violations().map(\.description) == [])
        let own = try scheme.rulebook()
        for record in laws.samples() {
            #expect(standing(of: record, by: rules) == standing(of: record, by: own), "\(record.text)")
        }
    }

    private func standing(of record: JSON, by rules: Rulebook) -> String {
        do {
            let tree = try rules.calculation(
                fields: record["fields"] ?? .null, entries: record["entries"] ?? .null, newID: { EntryID("?") })
            let standing = try rules.standing(of: tree, explaining: .all)
            return String(decoding: standing.json(of: nil, in: .french), as: UTF8.self)
        } catch {
            return error.lines.joined(separator: "\n")
        }
    }
}
