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
        #expect(try Self.anonymous(remote.description) == Self.anonymous(scheme.description))
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
            return try Self.anonymous(standing.json(of: nil, in: .french))
        } catch let error as FaultList {
            return error.lines.joined(separator: "\n")
        } catch {
            return "\(error)"
        }
    }

    /// A text without what tells one executable from another.
    private static func anonymous(_ text: [UInt8]) throws -> String {
        guard var object = try JSON.parse(text, limits: .init(depth: 256)).object else { return "" }
        for name in ["executable", "version", "digest"] { object[name] = nil }
        return JSON.object(object).text
    }
}
