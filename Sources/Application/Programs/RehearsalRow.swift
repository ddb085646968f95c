public import GradingKit
public import Shared

/// One difference that a rehearsal found, with the record and student it concerns.
public struct RehearsalRow: Sendable {
    /// The columns of the CSV form.
    public static let columns = [
        "record", "account", "displayName", "entry", "kind", "figure", "before", "after", "path", "closed",
    ]

    /// The record.
    public let record: RecordID
    /// Its student.
    public let account: AccountID?
    /// The student's display name.
    public let displayName: String?
    /// `{"kind","entry","figure","before","after","path",…}`, with `closed` where it is of a closed class.
    public let details: JSONObject
    /// Its number among its record's rows, from 0.
    public let index: Int

    /// Writes the row as a JSON object.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("record", record.text)
            writer.member("account", account?.text)
            writer.member("displayName", displayName)
            for member in details { writer.member(member.name, member.value) }
        }
    }

    /// The row's cells in the order of ``columns``.
    public var cells: [String] {
        [record.text, account?.text ?? "", displayName ?? ""]
            + Self.columns.dropFirst(3).dropLast(2).map { details[$0]?.string ?? "" }
            + [(details["path"]?.array ?? []).compactMap(\.string).joined(separator: " / ")]
            + [details["closed"] == nil ? "" : "true"]
    }
}
