public import Shared

/// The store of sharing, following, blocking and search. Each write is one transaction with its audit row.
///
/// What is stored about an account or a record is removed with it.
public protocol PeopleStore: FriendStore, FeedStore, SearchStore, WorkStore {
    /// Returns how a record is shared; `nil` if it is not.
    func shared(_ record: RecordID) async throws -> SharedRecord?

    /// Returns how some records are shared, without those that are not.
    func shared(_ records: [RecordID]) async throws -> [SharedRecord]

    /// Returns the records that an account shares, ordered by identifier.
    func shared(by owner: AccountID) async throws -> [SharedRecord]

    /// Changes how a record is shared by a pure function of the rows found; they are `nil` if the record does not
    /// exist.
    func changeSharing(
        of record: RecordID, _ plan: @escaping @Sendable (SharingRows?) throws -> PeoplePlan<SharedRecord?>
    ) async throws -> SharedRecord?
}
