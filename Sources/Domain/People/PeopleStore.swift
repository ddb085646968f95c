public import Shared

/// What the people's room needs of a store. Each write is one transaction with its audit row.
///
/// What is stored about an account goes with the account, and what is stored about a record with the record.
public protocol PeopleStore: FriendStore {
    /// How a record is shared; `nil` for one that is not shared.
    func shared(_ record: RecordID) async throws -> SharedRecord?

    /// How records are shared; those that are not shared are absent.
    func shared(_ records: [RecordID]) async throws -> [SharedRecord]

    /// The records that an account shares, in their order.
    func shared(by owner: AccountID) async throws -> [SharedRecord]

    /// Changes how a record is shared by a pure function of what was found of it; `nil` for a record that is not there.
    func changeSharing(
        of record: RecordID, _ plan: @escaping @Sendable (SharingRows?) throws -> PeoplePlan<SharedRecord?>
    ) async throws -> SharedRecord?
}
