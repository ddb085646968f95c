public import GradingKit

/// A scheme under one configuration, ready to judge records that a test writes down.
///
/// Entries without an identifier get one by their place: `1`, `2`, and `2.1` for the first child of the second.
public struct Trial {
    /// The rules by which everything is judged.
    public let rules: Rulebook

    /// A scheme under a preset and the settings that override it.
    public init<Scheme: GradingScheme>(
        _ scheme: Scheme.Type, preset: String? = nil, configuration: JSON = .null
    ) throws {
        rules = try InstalledScheme(scheme).rulebook(preset: preset, configuration: configuration)
    }

    /// The record of the given entries; throws every fault.
    public func record(_ entries: [JSON], fields: JSON = .null) throws(FaultList) -> RecordTree {
        try rules.calculation(fields: fields, entries: .array(Self.identified(entries)), newID: { EntryID("?") })
    }

    /// The standing of the given entries.
    public func standing(
        _ entries: [JSON], fields: JSON = .null, explaining traces: TraceSelection = .none
    ) throws(FaultList) -> Standing {
        try rules.standing(of: try record(entries, fields: fields), explaining: traces)
    }

    /// The faults of the given entries as `code path`, in their order; empty when there is none.
    public func faults(_ entries: [JSON], fields: JSON = .null) -> [String] {
        do {
            _ = try record(entries, fields: fields)
            return []
        } catch {
            return error.lines
        }
    }

    /// Applies steps to a record as the owner's own request would.
    public func change(
        _ record: RecordTree, isStaff: Bool = false, _ steps: RecordChange...
    ) throws -> ValidatedChange {
        var made = 0
        return try rules.validate(steps, of: record, at: "/changes", by: isStaff ? .staff(author: nil) : .student) {
            made += 1
            return EntryID("\(record.count + 1)#\(made)")
        }
    }

    private static func identified(_ entries: [JSON], under prefix: String = "") -> [JSON] {
        entries.enumerated().map { index, entry in
            guard var object = entry.object else { return entry }
            let id = object["id"]?.string ?? "\(prefix)\(index + 1)"
            object["id"] = .string(id)
            if let children = object["children"]?.array {
                object["children"] = .array(identified(children, under: id + "."))
            }
            return .object(object)
        }
    }
}

extension FaultList {
    /// The faults as `code path`, in their order.
    public var lines: [String] { faults.map { "\($0.code) \($0.path)" } }
}
