import GradingKit
import Institutions
import Records
import Shared

/// The bodies of messages: `{"type","timestamp","data"}`, as Standard Webhooks proposes.
enum WebhookMessage {
    /// The longest document in a message, in bytes. Of a longer one the message says that it is too long.
    static let longestDocument = 256 << 10

    /// Returns the message that tries an address.
    static func test(of webhook: WebhookID, at now: Timestamp) -> [UInt8] {
        message(WebhookEvent.test, at: now) { $0.member("webhook", webhook.text) }
    }

    /// Returns the message of an event.
    ///
    /// - Parameters:
    ///   - particulars: what the log says of it; `nil` if that is gone.
    ///   - epoch: the epoch of the version.
    ///   - document: the record as staff see it now; `nil` for none.
    static func body(
        of delivery: WebhookDelivery, in institution: InstitutionID, _ particulars: WebhookParticulars?,
        under epoch: Epoch, document: RecordSnapshot?
    ) -> [UInt8] {
        message(delivery.event.rawValue, at: delivery.at) { writer in
            writer.member("institution", institution.text)
            writer.member(delivery.subject.kind.member, delivery.subject.id)
            guard let particulars else { return }
            if delivery.subject.kind != .program, delivery.subject.kind != .member {
                writer.member("program", particulars.program?.text)
            }
            if delivery.subject.kind == .record { writer.member("student", particulars.student?.text) }
            if let version = particulars.version {
                writer.member("epoch", epoch.text)
                writer.member("version", version)
            }
            writer.member("act", particulars.act)
            if let figures = particulars.figures {
                writer.member("entry", particulars.entry)
                writer.member("figures", .array(figures.map { .string($0) }))
            }
            guard let document else { return }
            let bytes = document.full.document(version: document.fullVersion)
            if bytes.count > longestDocument {
                writer.member("truncated", true)
            } else {
                writer.name("document")
                writer.raw(bytes)
            }
        }
    }

    private static func message(
        _ type: String, at moment: Timestamp, _ data: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("type", type)
            writer.member("timestamp", moment.description)
            writer.member("data") { $0.object { data(&$0) } }
        }
        return writer.bytes
    }
}

extension WebhookSubject.Kind {
    /// The member of a message that has the identifier.
    fileprivate var member: String {
        switch self {
        case .member: "account"
        case .record, .program, .taughtClass: rawValue
        }
    }
}
