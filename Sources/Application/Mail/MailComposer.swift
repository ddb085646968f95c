public import Cryptography
import GradingKit
public import Shared

/// The composer of mails in each recipient's language. One template serves all kinds of mail.
public struct MailComposer: Sendable {
    private let address: String
    private let links: LinkKeys

    /// Creates a composer.
    ///
    /// - Parameters:
    ///   - address: the public address of the server, such as `https://grades.example.org`.
    ///   - links: generates the tokens of links.
    public init(address: String, links: LinkKeys) {
        self.address = address
        self.links = links
    }

    /// Returns the text of a mail with news, given their sentences.
    func letter(_ mail: Mail, telling lines: [String]) -> Letter {
        let arguments: JSONObject = ["site": .string(site)]
        var words = Words(mail.kind, mail.language, arguments, at: mail.createdAt)
        words.particulars = lines
        let link = "\(address)/timeline"
        return Letter(
            id: mail.id, to: mail.recipient, date: mail.createdAt, in: mail.language, subject: words.subject,
            text: words.text(link), html: words.html(link))
    }

    private var site: String { address.hasPrefix("https://") ? String(address.dropFirst(8)) : address }

    /// Returns the text of a mail. Composing the same mail again gives the same text.
    public func letter(_ mail: Mail) -> Letter {
        var arguments = mail.particulars.reduce(into: JSONObject()) { $0[$1.key] = .string($1.value) }
        arguments["site"] = .string(site)
        let words = Words(mail.kind, mail.language, arguments, at: mail.createdAt)
        let link = mail.kind.page.map { "\(address)\($0)#\(links.token(of: mail.id).text)" }
        return Letter(
            id: mail.id, to: mail.recipient, date: mail.createdAt, in: mail.language, subject: words.subject,
            text: words.text(link), html: words.html(link))
    }
}

extension Mail.Kind {
    /// The page that the mail's link opens, with the token after `#`; `nil` for a mail without a link.
    fileprivate var page: String? {
        switch self {
        case .confirmation: "/email"
        case .reset, .ownReset: "/reset"
        case .invitation: "/invitation"
        case .addressChanged, .addressRemoved, .accountDeleted, .newDevice, .security, .notice: nil
        }
    }

    /// The name by which the catalog has its texts.
    fileprivate var wording: String { self == .ownReset ? Self.reset.rawValue : rawValue }
}

/// The words of one mail.
private struct Words {
    let language: Language
    let subject: String
    let lead: String
    var particulars: [String]
    let button: String
    let note: String

    init(_ kind: Mail.Kind, _ language: Language, _ given: JSONObject, at moment: Timestamp) {
        var arguments = given
        func say(_ part: String) -> String? {
            let code = FaultCode("mail.\(kind.wording).\(part)")
            let text = MessageCatalog.mails.message(code, arguments, in: language)
            return text == code.text ? nil : text
        }
        if arguments["device"]?.string?.isEmpty != false {
            arguments["device"] = .string(MessageCatalog.mails.message("mail.device.unknown", in: language))
        }
        if arguments["source"]?.string?.isEmpty == true {
            arguments["source"] = .string(MessageCatalog.mails.message("mail.source.other", in: language))
        }
        if let action = arguments["action"]?.string {
            let code = FaultCode("mail.\(kind.wording).\(action)")
            arguments["what"] = .string(MessageCatalog.mails.message(code, in: language))
        }
        arguments["time"] = .string(String(moment.description.prefix(16)).replacing("T", with: " "))
        self.language = language
        subject = say("subject") ?? ""
        lead = say("text") ?? ""
        particulars = say("particulars")?.split(separator: "\n").map { String($0) } ?? []
        button = say("link") ?? ""
        note = say("note") ?? ""
    }

    func text(_ link: String?) -> String {
        [lead, particulars.joined(separator: "\n"), link ?? "", note].filter { !$0.isEmpty }
            .joined(separator: "\n\n") + "\n"
    }

    /// Returns the mail as HTML that loads no external resources.
    func html(_ link: String?) -> String {
        var paragraphs = [Self.escaped(lead)]
        if !particulars.isEmpty { paragraphs.append(particulars.map(Self.escaped).joined(separator: "<br>")) }
        if let link {
            let address = Self.escaped(link)
            paragraphs.append("<a href=\"\(address)\"><b>\(Self.escaped(button))</b></a>")
            paragraphs.append("<small>\(address)</small>")
        }
        paragraphs.append(Self.escaped(note))
        return """
            <!DOCTYPE html>
            <html lang="\(language.rawValue)"><head><meta charset="utf-8"><title>\(Self.escaped(subject))</title></head>
            <body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
            \(paragraphs.map { "<p>\($0)</p>" }.joined(separator: "\n"))
            </body></html>

            """
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.append(character)
            }
        }
    }
}
