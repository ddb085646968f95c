import GradingKit
import Records
import Shared

extension Rehearsal {
    /// Writes the rehearsal.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("program", program.text)
            writer.member("of", basis.subject.rawValue)
            writer.member("executable", basis.executable?.json ?? .null)
            writer.member("state", state.rawValue)
            writer.member("digest", digest)
            writer.member("published", basis.published)
            writer.member("startedAt", startedAt.description)
            writer.member("done", done)
            writer.member("total", total)
            writer.member("counts") { counts.write(to: &$0) }
        }
    }
}

extension RehearsalCounts {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("figures", figures)
            $0.member("letters", letters)
            $0.member("outcomes", outcomes)
            $0.member("bars", bars)
            $0.member("records", records)
            $0.member("refused", refused)
        }
    }
}

/// One thing that a rehearsal sees otherwise, with whose it is.
struct RehearsalRow: Sendable {
    /// The columns of the CSV form.
    static let columns = ["record", "account", "displayName", "entry", "kind", "figure", "before", "after", "path"]

    let record: RecordID
    let account: AccountID?
    /// The student's displayed name.
    let displayName: String?
    /// `{"kind","entry","figure","before","after","path",…}`.
    let details: JSONObject
    /// Its number among its record's rows, from 0.
    let index: Int

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("record", record.text)
            writer.member("account", account?.text)
            writer.member("displayName", displayName)
            for member in details { writer.member(member.name, member.value) }
        }
    }

    /// The row's cells in the order of ``columns``.
    var cells: [String] {
        [record.text, account?.text ?? "", displayName ?? ""]
            + Self.columns.dropFirst(3).dropLast().map { details[$0]?.string ?? "" }
            + [(details["path"]?.array ?? []).compactMap(\.string).joined(separator: " / ")]
    }
}
