import GradingKit

extension Fault {
    /// Writes a fault as problems write theirs; `catalog` words a scheme's own codes.
    func write(to writer: inout JSONWriter, in language: Language, _ catalog: MessageCatalog? = nil) {
        let words = MessageCatalog.server.adding(catalog ?? MessageCatalog())
        writer.object {
            $0.member("code", code.text)
            $0.member("path", path)
            $0.member("message", words.message(self, in: language))
            $0.member("args", .object(arguments))
        }
    }
}
