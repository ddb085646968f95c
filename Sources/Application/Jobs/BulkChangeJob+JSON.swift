public import GradingKit
public import Records
public import Shared

extension BulkChangeJob {
    /// Writes the job with its state on the given day.
    ///
    /// - Parameter owners: the students of the records that it refused; one that is absent is not named.
    public func write(to writer: inout JSONWriter, on day: CalendarDay, of owners: RecordOwners = RecordOwners()) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("program", program.text)
            switch work {
            case .move(let version, let judgesClosed):
                writer.member("version", version)
                writer.member("closed", judgesClosed)
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
            writer.member("refusals") { writer in
                writer.array { writer in
                    for refusal in progress.refusals { refusal.write(to: &writer, of: owners) }
                }
            }
            writer.member("finishedAt", progress.finishedAt?.description)
        }
    }
}

extension BulkChangeRefusal {
    fileprivate func write(to writer: inout JSONWriter, of owners: RecordOwners) {
        writer.object { writer in
            writer.member("code", code.text)
            writer.member("count", count)
            writer.member("records") { writer in
                writer.array { writer in
                    for record in records {
                        writer.object {
                            $0.member("record", record.text)
                            $0.member("account", owners[record]?.student.text)
                            $0.member("displayName", owners[record]?.displayName)
                        }
                    }
                }
            }
        }
    }
}
