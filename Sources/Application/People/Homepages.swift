public import Accounts
import GradingKit
import Institutions
public import People
import Records
public import Shared

/// People's homepages as callers see them: the person, the relation between the two, and the shared records.
public struct Homepages: Sendable {
    /// The audience as which owners preview their own homepage.
    public enum Viewer: String, Sendable, CaseIterable {
        /// A friend who belongs to none of the institutions.
        case friend
        /// A member of the institutions that hold the owner's records.
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
        /// The owner of the page.
        public let account: Account
        /// The relation between the caller and the owner; `nil` on the caller's own page.
        public let relation: Relation?
        /// The numbers of people who follow the owner and whom the owner follows.
        public let counts: FollowCounts
        /// The records shared with the caller.
        public let records: [Record]
        /// The owner's friends, as far as the caller may see them; `nil` if they are not shown.
        public let friends: [Account]?
    }

    /// A record that is shared with the caller.
    public struct Record: Sendable {
        /// The record.
        public let id: RecordID
        /// How much of it is shared.
        public let what: RecordSharing.Extent
        /// The title of the record's program.
        public let title: String?
        /// The scheme of the program.
        public let scheme: String?
    }

    /// The greatest number of records, and of friends, that a page shows.
    private static let most = 100
    private let friends: Friends
    private let sharings: RecordSharings
    private let records: RecordService

    /// Creates homepages from friends and shared records.
    init(friends: Friends, sharings: RecordSharings, records: RecordService) {
        self.friends = friends
        self.sharings = sharings
        self.records = records
    }

    /// Returns a person's homepage as the caller may see it.
    ///
    /// - Throws: `not_found` for a person whom the caller may not see.
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

    /// Returns the caller's own homepage as the given audience sees it.
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
