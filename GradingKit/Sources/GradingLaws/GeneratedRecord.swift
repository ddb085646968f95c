import GradingKit

/// A record in wire form. Its entries have identifiers, so that a reordered record can be compared.
struct GeneratedRecord {
    var fields: JSON
    var entries: [JSON]

    static let empty = GeneratedRecord(fields: .null, entries: [])

    /// The body of a stateless calculation.
    var json: JSON { ["fields": fields, "entries": .array(entries)] }

    /// The record with the part at a JSON Pointer replaced.
    func replacing(at pointer: String, _ change: (JSON?) -> JSON?) -> GeneratedRecord {
        let changed = json.replacing(at: pointer, change)
        return GeneratedRecord(fields: changed["fields"] ?? .null, entries: changed["entries"]?.array ?? [])
    }

    /// The record with siblings in another order, everywhere.
    func shuffled(using generator: inout SeededGenerator) -> GeneratedRecord {
        GeneratedRecord(fields: fields, entries: Self.shuffled(entries, &generator))
    }

    private static func shuffled(_ entries: [JSON], _ generator: inout SeededGenerator) -> [JSON] {
        entries.shuffled(using: &generator).map { entry in
            entry.replacing(at: "/children") { children in
                children?.array.map { .array(shuffled($0, &generator)) } ?? children
            }
        }
    }

    /// Every entry with its place in the record, parents before children.
    var places: [(pointer: String, entry: JSON)] { Self.places(entries, at: "/entries") }

    private static func places(_ entries: [JSON], at pointer: String) -> [(pointer: String, entry: JSON)] {
        entries.enumerated().flatMap { index, entry in
            let place = "\(pointer)/\(index)"
            return [(place, entry)] + places(entry["children"]?.array ?? [], at: place + "/children")
        }
    }
}

extension JSON {
    /// The name of an entry's kind.
    var kindName: String { self["kind"]?.string ?? "" }

    /// The value of an entry's field; `nil` if it has none.
    func value(_ field: FieldShape) -> JSON? {
        self["fields"]?[field.name].flatMap { $0.isNull ? nil : $0 }
    }
}
