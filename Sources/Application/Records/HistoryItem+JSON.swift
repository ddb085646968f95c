public import GradingKit
public import Records
import Shared

extension HistoryItem {
    /// Writes the item as a JSON object.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("version", version)
            writer.member("at", at.description)
            writer.member("by", ["id": .text(account?.text), "displayName": .text(displayName)])
            writer.member("op", change.operation)
            writer.member("entry", change.entry)
            writer.name("before")
            writer.raw(change.before ?? Array("null".utf8))
            writer.name("after")
            writer.raw(change.after ?? Array("null".utf8))
            writer.name("figures")
            writer.raw(change.figures)
            if let executable { writer.member("executable", executable.json) }
            // An act of a class names the class in the place of a reason.
            let isOfClass = change.operation == ChangeDescription.classAct
            if isOfClass { writer.member("class", change.reason) }
            writer.member("reason", isOfClass ? nil : change.reason)
        }
    }
}
