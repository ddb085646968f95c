public import GradingKit
import Shared
import TimeZones

extension Institution {
    /// Writes the institution as JSON.
    public func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("id", id.text)
            $0.member("slug", slug.text)
            $0.member("title", title)
            $0.member("locale", locale.rawValue)
            $0.member("open", isOpen)
            $0.member("keepsReading", keepsReading)
            $0.member("secondFactor", secondFactor.rawValue)
            $0.member("sharing", sharing.rawValue)
            $0.member("timeZone", timeZone.identifier)
            $0.member("createdAt", createdAt.description)
        }
    }

    package var auditText: [UInt8] { written { write(to: &$0) } }
}

extension Membership {
    /// Writes the membership as its own account sees it.
    public func write(to writer: inout JSONWriter) {
        writer.object {
            writeMembers(to: &$0)
            writeGrants(to: &$0)
        }
    }

    fileprivate func writeGrants(to writer: inout JSONWriter) {
        writer.member("grants") { writer in
            writer.array { for grant in grants { grant.write(to: &$0) } }
        }
    }

    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("institution", institution.text)
        writer.member("account", account.text)
        writer.member("role", role.rawValue)
        writer.member("programs") { $0.writeTexts(programs.map(\.text)) }
        writer.member("since", since.description)
        writer.member("studentNumber", studentNumber)
    }

    /// The values that people can change, for the audit trail.
    package var auditText: [UInt8] { written { $0.object { writeMembers(to: &$0) } } }
}

extension Grant {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("by", kind.rawValue)
            writer.member("role", role.rawValue)
            writer.member("programs") { $0.writeTexts(programs.map(\.text)) }
            writer.member("since", since.description)
            writer.member("until", until?.description)
            writer.member("rule") { writer in
                guard let rule else { return writer.null() }
                writer.object {
                    $0.member("issuer", rule.issuer)
                    $0.member("claim", rule.claim)
                    $0.member("equals", rule.value)
                }
            }
        }
    }

    /// The kinds of origin.
    public enum Kind: String, CaseIterable, Sendable { case hand, invitation, rule }

    private var kind: Kind {
        switch origin {
        case .hand: .hand
        case .invitation: .invitation
        case .rule: .rule
        }
    }
}

extension Member {
    /// Writes the membership with the login and the names of its account.
    public func write(to writer: inout JSONWriter) {
        writer.object {
            membership.writeMembers(to: &$0)
            membership.writeGrants(to: &$0)
            $0.member("login", login)
            $0.member("displayName", displayName)
            $0.member("givenName", personName.given)
            $0.member("familyName", personName.family)
        }
    }
}

extension Invitation {
    /// Writes the invitation.
    ///
    /// - Parameters:
    ///   - token: The token of its link, which only the answer to the invitation's creation contains.
    ///   - url: Its complete link, if the server knows its public address.
    ///   - title: The institution's title, for the person invited.
    public func write(
        to writer: inout JSONWriter, token: String? = nil, url: String? = nil, title: String? = nil
    ) {
        writer.object {
            $0.member("id", id)
            $0.member("institution", institution.text)
            if let title { $0.member("title", title) }
            $0.member("account", account?.text)
            $0.member("role", role.rawValue)
            $0.member("programs") { $0.writeTexts(programs.map(\.text)) }
            $0.member("expiresAt", expiresAt.description)
            if let token { $0.member("token", token) }
            if let url { $0.member("url", url) }
        }
    }

    package var auditText: [UInt8] { written { write(to: &$0) } }
}

extension Program {
    /// Writes the item that lists show: `{"id","institution","scheme","title","entry","given","version",
    /// "effectiveFrom"}`. The version is the one in force.
    public func writeItem(to writer: inout JSONWriter) { writer.object { writeMembers(to: &$0) } }

    /// Writes the document of the topic `program/{id}`: the item, the configuration in force, and the versions that are
    /// not yet in force.
    ///
    /// - Parameters:
    ///   - showsDraft: Whether to include the draft, which only the institution's staff may see.
    ///   - stale: The number of records that another executable of the scheme computed, for staff; `nil` omits it.
    public func write(
        to writer: inout JSONWriter, _ versions: StandingVersions, showsDraft: Bool = false, stale: Int? = nil
    ) {
        writer.object {
            writeMembers(to: &$0)
            $0.member("configuration") { writer in
                if let version = versions.inForce { writer.raw(version.configuration) } else { writer.null() }
            }
            $0.member("waiting") { writer in
                writer.array { for version in versions.waiting { version.writeWaiting(to: &$0) } }
            }
            if showsDraft { $0.member("draft") { writeDraft(to: &$0) } }
            if let stale { $0.member("stale", stale) }
        }
    }

    /// Writes the program with the configuration of one version, as the records of that version need it.
    public func write(to writer: inout JSONWriter, judgedBy version: ProgramVersion) {
        writer.object {
            $0.member("id", id.text)
            $0.member("institution", institution.text)
            $0.member("scheme", scheme)
            $0.member("title", title)
            $0.member("entry", entry.rawValue)
            $0.member("version", version.number)
            $0.member("configuration") { $0.raw(version.configuration) }
        }
    }

    private func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id.text)
        writer.member("institution", institution.text)
        writer.member("scheme", scheme)
        writer.member("title", title)
        writer.member("entry", entry.rawValue)
        writer.member("given", given.rawValue)
        writer.member("version", inForce?.number)
        writer.member("effectiveFrom", inForce?.effectiveFrom.description)
    }

    private func writeDraft(to writer: inout JSONWriter) {
        guard let draft else { return writer.null() }
        writer.object {
            $0.member("preset", draft.preset)
            $0.member("configuration") { $0.raw(draft.configuration) }
            $0.member("editedAt", draft.editedAt.description)
        }
    }

    /// The values that people can change, for the audit trail; versions have rows of their own.
    package var auditText: [UInt8] {
        written { writer in
            writer.object {
                $0.member("id", id.text)
                $0.member("institution", institution.text)
                $0.member("scheme", scheme)
                $0.member("title", title)
                $0.member("entry", entry.rawValue)
                $0.member("given", given.rawValue)
                $0.member("version", inForce?.number)
                $0.member("newest", newest)
                $0.member("draft") { writeDraft(to: &$0) }
            }
        }
    }
}

extension ProgramVersion {
    fileprivate func writeWaiting(to writer: inout JSONWriter) {
        writer.object {
            $0.member("version", number)
            $0.member("effectiveFrom", effectiveFrom.description)
            $0.member("records", records.rawValue)
            $0.member("configuration") { $0.raw(configuration) }
        }
    }

    /// Writes the version with its configuration.
    ///
    /// - Parameter showsPublisher: Whether the reader may see who published it.
    public func write(to writer: inout JSONWriter, showsPublisher: Bool = true) {
        writer.object {
            $0.member("program", program.text)
            $0.member("version", number)
            $0.member("preset", preset)
            $0.member("configuration") { $0.raw(configuration) }
            $0.member("effectiveFrom", effectiveFrom.description)
            $0.member("publishedAt", publishedAt.description)
            $0.member("publishedBy", showsPublisher ? publishedBy?.text : nil)
            $0.member("records", records.rawValue)
            $0.member("rehearsal", rehearsal)
        }
    }

    package var auditText: [UInt8] { written { write(to: &$0) } }
}

extension JSONWriter {
    fileprivate mutating func writeTexts(_ texts: [String]) {
        array { for text in texts { $0.string(text) } }
    }
}

/// Returns the detail of an audit row as JSON text: the values before and after a change, and its reason.
package func auditDetail(before: [UInt8]?, after: [UInt8]?, reason: String?) -> [UInt8] {
    written { writer in
        writer.object {
            if let before { $0.member("before") { $0.raw(before) } }
            if let after { $0.member("after") { $0.raw(after) } }
            if let reason { $0.member("reason", reason) }
        }
    }
}

private func written(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    write(&writer)
    return writer.bytes
}
