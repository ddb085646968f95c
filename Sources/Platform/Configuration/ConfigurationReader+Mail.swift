import Forms
import HTTP
import JSON
import Messages

extension ServerConfiguration.Mail {
    init?(_ form: inout Form, _ vocabulary: ServerConfiguration.Vocabulary) {
        let server = form.mailServer("smtp")
        let sender = form.sender("from", vocabulary)
        let user = form.line("user", max: 256)
        let passwordFile = form.line("passwordFile", max: 4_096)
        let authorities = form.line("authorities", max: 4_096)
        // A password needs a user.
        if passwordFile != nil, user == nil { form.refuse("user", .missingField) }
        guard let server, let sender else { return nil }
        self.init(
            url: server.url, isOnThisMachine: server.isOnThisMachine, senderName: sender.name, sender: sender.address,
            user: user, passwordFile: passwordFile, authorities: authorities)
    }
}

extension Form {
    /// Reads the address of a mail server: `smtps://` or `smtp://`, with a host and an optional port.
    fileprivate mutating func mailServer(_ name: String) -> (url: String, isOnThisMachine: Bool)? {
        guard let text = line(name, max: 300, required: true) else { return nil }
        for (scheme, port) in [("smtps", UInt16(465)), ("smtp", 587)] where text.hasPrefix("\(scheme)://") {
            guard let authority = Authority(String(text.dropFirst(scheme.count + 3))) else { break }
            let host = authority.withoutPort
            return ("\(scheme)://\(host):\(authority.port ?? port)", host.isLoopback)
        }
        refuse(name, .outOfRange, ["expected": "smtps://mail.example.org:465 or smtp://mail.example.org:587"])
        return nil
    }

    /// Reads the sender of mails: an address, or a name followed by an address in angle brackets.
    fileprivate mutating func sender(
        _ name: String, _ vocabulary: ServerConfiguration.Vocabulary
    ) -> (name: String, address: String)? {
        guard let text = line(name, max: 400, required: true) else { return nil }
        var (title, address) = ("", text)
        if text.hasSuffix(">"), let open = text.lastIndex(of: "<") {
            address = String(text[text.index(after: open)...].dropLast())
            title = String(text[..<open])
            while title.hasSuffix(" ") { title.removeLast() }
        }
        if vocabulary.isEmail(address) { return (title, address) }
        refuse(name, .outOfRange, ["expected": "Gradecast <grades@example.org>"])
        return nil
    }
}
