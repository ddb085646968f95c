import JSON
import Shared

/// One message of a client, read and found good.
enum ClientMessage: Equatable {
    case hello(token: String?)
    case sub(String, have: Revision?)
    case unsub(String)
    case auth(token: String)
    case pong(Int)
    /// Where the client's person is in a collection; without a place, only that the person is there.
    case here(String, at: PresencePlace?, isEditing: Bool)

    /// The longest token or ticket, in bytes.
    static let longestToken = 4_096

    /// Reads a message; `nil` for what is no JSON object, an unknown `t` or a bad member. Members that the
    /// protocol does not know are ignored.
    init?(_ bytes: [UInt8], limits: LiveLimits) {
        let parsed = try? JSON.parse(bytes, limits: JSONLimits(depth: limits.messageDepth, numberLength: 32))
        guard let object = parsed?.object, let type = object["t"]?.string else { return nil }
        let message: ClientMessage? =
            switch type {
            case "hello": Self.hello(object)
            case "sub": Self.sub(object)
            case "unsub": object["topic"]?.string.map { .unsub($0) }
            case "auth": Self.token(object["token"]).map { .auth(token: $0) }
            case "pong": object["n"]?.integer.map { .pong($0) }
            case "here": Self.here(object)
            default: nil
            }
        guard let message else { return nil }
        self = message
    }

    private static func hello(_ object: JSONObject) -> ClientMessage? {
        if let client = object["client"] { guard client.string != nil else { return nil } }
        guard let member = object["token"] else { return .hello(token: nil) }
        return token(member).map { .hello(token: $0) }
    }

    private static func sub(_ object: JSONObject) -> ClientMessage? {
        guard let topic = object["topic"]?.string else { return nil }
        guard let have = object["have"] else { return .sub(topic, have: nil) }
        guard let epoch = have["e"]?.string, let version = have["v"]?.integer,
            let revision = Revision(text: "\(epoch).\(version)"), revision.epoch.text == epoch
        else { return nil }
        return .sub(topic, have: revision)
    }

    private static func here(_ object: JSONObject) -> ClientMessage? {
        guard let topic = object["topic"]?.string else { return nil }
        var isEditing = false
        if let member = object["editing"] {
            guard let flag = member.bool else { return nil }
            isEditing = flag
        }
        guard let at = object["at"] else { return .here(topic, at: nil, isEditing: isEditing) }
        guard let pair = at.array, pair.count == 2, let row = identifier(pair[0]), let line = identifier(pair[1]) else {
            return nil
        }
        return .here(topic, at: PresencePlace(row: row, line: line), isEditing: isEditing)
    }

    private static func identifier(_ member: JSON) -> String? {
        guard let text = member.string, (1...PresencePlace.longest).contains(text.utf8.count),
            text.utf8.allSatisfy(Topic.allows)
        else { return nil }
        return text
    }

    private static func token(_ member: JSON?) -> String? {
        guard let text = member?.string, (1...longestToken).contains(text.utf8.count) else { return nil }
        return text
    }
}
