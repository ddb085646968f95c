public import GradingKit
public import Records
import Shared

extension Rehearsal {
    /// Writes the rehearsal as a JSON object.
    public func write(to writer: inout JSONWriter) {
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
            $0.member("lost", lost)
            $0.member("closed", closed)
        }
    }
}
