import Application
import Classes
import Cryptography
import Gradebook
import GradingKit
import Shared

/// What the server keeps of an answer in which many cells were refused: the first faults in full, and only the places of the
/// others.
enum KeptCells {
    /// The number of faults that are kept in full.
    static let most = 100

    /// Returns what to keep in place of the answer; `nil` to keep the answer.
    static func facts(of outcome: ActOutcome<CellsAnswer>, in language: Language) -> [UInt8]? {
        let faults = outcome.value.faults
        guard faults.count > most else { return nil }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("v", outcome.version)
            writer.member("s", outcome.structure)
            writer.member("changed", outcome.isNew)
            writer.member("accepted", outcome.value.accepted)
            writer.member("faults") { writer in
                writer.array { for fault in faults.prefix(most) { fault.write(to: &$0, in: language) } }
            }
            let places = faults.dropFirst(most).compactMap { place(of: $0.path) }
            writer.member("places", Base64.standard.encode(bits(of: places)))
        }
        return writer.bytes
    }

    /// Returns the answer to a repeated request. Faults beyond the first name their cells, and no reason.
    static func body(_ facts: [UInt8], in language: Language) -> [UInt8] {
        guard let kept = try? JSON.parse(facts).object else { return facts }
        let places = kept["places"]?.string.flatMap { Base64.standard.decode($0) }.map { Self.places(in: $0) } ?? []
        var writer = JSONWriter()
        writer.object { writer in
            for member in kept where member.name != "faults" && member.name != "places" {
                writer.member(member.name, member.value)
            }
            writer.member("faults") { writer in
                writer.array { writer in
                    for fault in kept["faults"]?.array ?? [] { writer.value(fault) }
                    for place in places {
                        Fault(.refusedBefore, at: "/cells/\(place)").write(to: &writer, in: language)
                    }
                }
            }
        }
        return writer.bytes
    }

    /// The number of the cell that a path is about.
    private static func place(of path: String) -> Int? {
        let words = path.split(separator: "/")
        guard words.count >= 2, words[0] == "cells" else { return nil }
        return Int(words[1])
    }

    /// The places as bits; those of a list that a request can hold.
    private static func bits(of places: [Int]) -> [UInt8] {
        let places = places.filter { 0..<ClassLimits.cells ~= $0 }
        var bits = [UInt8](repeating: 0, count: ((places.max() ?? -1) + 8) / 8)
        for place in places { bits[place >> 3] |= 1 << UInt8(place & 7) }
        return bits
    }

    private static func places(in bits: [UInt8]) -> [Int] {
        bits.indices.flatMap { index in (0..<8).filter { bits[index] & (1 << UInt8($0)) != 0 }.map { index << 3 + $0 } }
    }
}
