public import GradingKit
public import Shared

extension Term {
    /// The term as it is shown.
    public func write(to writer: inout JSONWriter) { writer.object { writeMembers(to: &$0) } }

    /// Writes its members into an object.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id.text)
        writer.member("kind", kind.rawValue)
        writer.member("parent", parent?.text)
        writer.member("title", title)
        writer.member("from", first.description)
        writer.member("until", last.description)
        writer.member("locked", isLocked)
    }

    var auditText: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}
