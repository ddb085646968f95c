public import Accounts
import GradingKit
import Institutions
public import People
import Records
public import Shared

/// What a person's homepage shows to a caller: the person, how the two stand to each other, and what is shared.
public struct Homepages: Sendable {
    /// As whom an owner looks at his or her own homepage.
    public enum Viewer: String, Sendable, CaseIterable {
        /// A friend, who belongs to no institution.
        case friend
        /// A member of the institutions of one's records.
        case member
        /// Any other person.
        case everyone

        fileprivate func reads(_ shared: SharedRecord) -> Bool {
            let audiences = shared.sharing.with
            return switch self {
            case .friend: audiences.contains(.friends) || audiences.contains(.everyone)
            case .member: audiences.contains(.members) || audiences.contains(.everyone)
            case .everyone: audiences.contains(.everyone)
            }
        }
    }

    /// A homepage.
    public struct Homepage: Sendable {
        /// Whose it is.
        public let account: Account
        /// How the caller stands to the person; `nil` for an own page.
        public let relation: Relation?
        /// Who follow, and are followed.
        public let counts: FollowCounts
        /// What is shared with the caller.
        public let records: [Record]
        /// The person's friends, as far as the caller may see them; `nil` where they are not shown.
        public let friends: [Account]?
    }

    /// A record that is shared with the caller.
    public struct Record: Sendable {
        /// The record.
        public let id: RecordID
        /// How much of it is shared.
        public let what: RecordSharing.Extent
        /// What the record's program is called.
        public let title: String?
        /// The scheme of the program.
        public let scheme: String?
    }

    /// The most records, and the most friends, that a page shows.
    private static let most = 100
    private let friends: Friends
    private let sharings: RecordSharings
    private let records: RecordService

    /// Over friends and what they share.
    init(friends: Friends, sharings: RecordSharings, records: RecordService) {
        self.friends = friends
        self.sharings = sharings
        self.records = records
    }

    /// A person's homepage as the caller may see it; else `not_found`.
    public func page(of id: AccountID, _ context: AccountContext) async throws -> Homepage {
        let (account, relation) = try await friends.person(id, seenBy: context.principal)
        var shown: [Record] = []
        for shared in try await friends.store.shared(by: id).prefix(Self.most)
        where try await sharings.mayRead(shared.record, as: context.principal) {
            shown.append(try await record(shared))
        }
        let isOwn = id == context.account
        return Homepage(
            account: account, relation: isOwn ? nil : relation,
            counts: try await friends.store.followCounts(of: id), records: shown,
            friends: relation.areFriends ? try await friendsShown(by: account, to: context.account) : nil)
    }

    /// The caller's homepage as others see it.
    public func preview(as viewer: Viewer, _ context: AccountContext) async throws -> Homepage {
        let (account, _) = try await friends.person(context.account, seenBy: context.principal)
        var shown: [Record] = []
        for shared in try await friends.store.shared(by: context.account).prefix(Self.most)
        where viewer.reads(shared) {
            guard try await sharings.mayRead(shared.record, as: context.principal) else { continue }
            shown.append(try await record(shared))
        }
        return Homepage(
            account: account, relation: nil, counts: try await friends.store.followCounts(of: context.account),
            records: shown,
            friends: viewer == .friend ? try await friendsShown(by: account, to: context.account) : nil)
    }

    private func record(_ shared: SharedRecord) async throws -> Record {
        let program = try await records.institutions.programs.find(
            try await records.store.head(of: shared.record)?.program ?? ProgramID(""))
        return Record(id: shared.record, what: shared.sharing.what, title: program?.title, scheme: program?.scheme)
    }

    private func friendsShown(by account: Account, to viewer: AccountID) async throws -> [Account]? {
        guard account.profile.lists == .friends else { return nil }
        var shown: [Account] = []
        for id in try await friends.store.friends(of: account.id, seenBy: viewer, limit: Self.most) {
            if let friend = try await friends.profiles.account(id) { shown.append(friend) }
        }
        return shown
    }
}
