public import JSON
public import Messages
import Shared

extension Account {
    /// Writes the account as its owner and administrators see it.
    public func write(to writer: inout JSONWriter) { writer.object { writeMembers(to: &$0) } }

    /// Writes the account for its owner, with the enrolment that the session requires first; `null` if there is none.
    public func write(to writer: inout JSONWriter, for enrolment: Enrolment?) {
        writer.object {
            writeMembers(to: &$0)
            $0.member("enrolment", enrolment.map { JSON.object(["ways": $0.json]) } ?? .null)
        }
    }

    private func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id.text)
        writer.member("login", login.text)
        profile.writeMembers(to: &writer)
        writer.member("avatar", picturePath)
        writer.member("role", role?.rawValue)
        writer.member("disabled", isDisabled)
        writer.member("createdAt", createdAt.description)
    }

    /// Writes the card of the account, for everyone who may see the person.
    public func writeCard(to writer: inout JSONWriter) {
        writer.object {
            $0.member("id", id.text)
            $0.member("displayName", profile.displayName)
            $0.member("description", profile.description)
            $0.member("avatarHue", JSON.number(profile.hue.text))
            $0.member("avatar", picturePath)
        }
    }

    /// The address of the picture, as every document of the account has it, those in the audit trail included. Each
    /// picture has its own, so that a cache never shows an old one.
    private var picturePath: String? { picture.map { "/v1/accounts/\(id)/avatar?v=\($0)" } }

    /// The account as JSON text, for the audit trail.
    package var auditText: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

extension Profile {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("displayName", displayName)
        writer.member("givenName", personName.given)
        writer.member("familyName", personName.family)
        writer.member("description", description)
        writer.member("gender", gender.rawValue)
        writer.member("avatarHue", JSON.number(hue.text))
        writer.member("locale", locale?.rawValue)
        writer.member("discoverable", isDiscoverable)
        writer.member("followers", followers.rawValue)
        writer.member("lists", lists.rawValue)
    }
}

extension Session {
    /// Writes the session with the device's name in a language; `isCurrent` marks the session that makes the request.
    public func write(to writer: inout JSONWriter, isCurrent: Bool, in language: Language) {
        writer.object {
            $0.member("id", id.text)
            $0.member("kind", kind.rawValue)
            $0.member("createdAt", createdAt.description)
            $0.member("lastSeenAt", lastSeenAt.description)
            $0.member("expiresAt", expiresAt.description)
            $0.member("source", source)
            $0.member("client", client)
            $0.member("deviceName", deviceName(in: language))
            $0.member("current", isCurrent)
        }
    }
}

extension SecondFactor {
    /// Writes the second factor as its owner may see it.
    public func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("enabled", isRequired)
            $0.member("since", app?.since.description)
            $0.member("recoveryCodes", recoveryCodes.count)
        }
    }
}

/// Returns the account before and after a change, with the reason, as JSON text.
package func auditDetail(before: Account, after: Account, reason: String?) -> [UInt8] {
    var writer = JSONWriter()
    writer.object {
        $0.member("before") { before.write(to: &$0) }
        $0.member("after") { after.write(to: &$0) }
        if let reason { $0.member("reason", reason) }
    }
    return writer.bytes
}

extension AuditContext {
    /// The reason as JSON text, for the audit trail; `nil` if there is none.
    package var reasonText: [UInt8]? { reason.map { JSON.object(["reason": .string($0)]).bytes } }
}
