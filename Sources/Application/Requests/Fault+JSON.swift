public import GradingKit

extension Fault {
    /// Writes `{"code","path","message","args"}`; `catalog` has the wording of a scheme's own codes.
    public func write(to writer: inout JSONWriter, in language: Language, _ catalog: MessageCatalog? = nil) {
        write(to: &writer, MessageCatalog.server.adding(catalog ?? MessageCatalog()), in: language)
    }

    /// Writes the same, worded by one catalog.
    public func write(to writer: inout JSONWriter, _ words: MessageCatalog, in language: Language) {
        writer.object {
            $0.member("code", code.text)
            $0.member("path", path)
            $0.member("message", words.message(self, in: language))
            $0.member("args", .object(arguments))
        }
    }
}
