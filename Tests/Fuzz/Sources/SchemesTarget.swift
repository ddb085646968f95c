import Chalkboard
import GradingKit
import IUT
import RoseHulman

private let schemes = [InstalledScheme(Chalkboard.self), InstalledScheme(RoseHulman.self), InstalledScheme(IUT.self)]

/// Whatever somebody asks a scheme to calculate, the answer is a standing or faults, and a standing is JSON.
@Sendable func fuzzSchemes(_ bytes: [UInt8]) {
    guard let request = try? JSON.parse(bytes).object else { return }
    let configuration = request["configuration"] ?? .null
    for scheme in schemes {
        guard let rules = try? scheme.rulebook(preset: request["preset"]?.string, configuration: configuration) else {
            continue
        }
        var count = 0
        let tree = try? rules.calculation(fields: request["fields"] ?? .null, entries: request["entries"] ?? .null) {
            count += 1
            return EntryID("entry-\(count)")
        }
        guard let tree, let standing = try? rules.standing(of: tree, explaining: .all) else { continue }
        let written = standing.json(of: nil, in: .english)
        promise((try? JSON.parse(written)) != nil, "a standing that is no JSON")
    }
}
