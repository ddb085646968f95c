public import GradingKit
public import Records
public import Shared

extension BulkChangeJob {
    /// Writes the job with its state on the given day.
    public func write(to writer: inout JSONWriter, on day: CalendarDay) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("program", program.text)
            switch work {
            case .move(let version): writer.member("version", version)
            case .release(let path): writer.member("path", .array(path.map { .string($0) }))
            case .recompute(let executable): writer.member("executable", executable.json)
            }
            writer.member("state", state(on: day).rawValue)
            writer.member("orderedAt", orderedAt.description)
            writer.member("dueOn", dueOn.description)
            writer.member("done", progress.done)
            writer.member("total", progress.total)
            writer.member("changed", progress.changed)
            writer.member("refused", progress.refused)
            writer.member("finishedAt", progress.finishedAt?.description)
        }
    }
}
