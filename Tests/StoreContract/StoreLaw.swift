import Shared

/// Something that every store keeps.
public struct StoreLaw: Sendable, CustomStringConvertible {
    /// The law, as a sentence.
    public let statement: String
    /// Puts an empty store to the test; throws ``Violation`` when the law is broken.
    public let check: @Sendable (any StoreUnderTest) async throws -> Void

    init(_ statement: String, _ check: @escaping @Sendable (any StoreUnderTest) async throws -> Void) {
        self.statement = statement
        self.check = check
    }

    /// The law's sentence.
    public var description: String { statement }

    /// Every law.
    public static let all: [StoreLaw] =
        [
            counting, versions, conditions, access, permissions, idempotency, events, history, durability, browsing,
            copies,
            accounts,
            deletions, sessions, apiTokens, passwords, oneUseTokens, emails, mails, secondFactors, passkeys,
            signInFailures, identities, institutions, memberships, grants, invitations, serviceAccounts, webhooks,
            webhookSending,
            programs,
            bulkChanges, leases, imports, rehearsals, projections, sharing, friends, feeds, feedBursts, answers, trails,
            upkeep, factories, builds, classes, comments, corrections, dueDays, terms, transfers, grids, groups,
            sealedCells,
            search,
        ].flatMap { $0 }
}

/// A broken law.
public struct Violation: Error, CustomStringConvertible {
    /// What was seen, and what should have been.
    public let description: String
}

func expect<Value: Equatable>(_ found: Value, is wanted: Value, _ what: String) throws(Violation) {
    guard found == wanted else { throw Violation(description: "\(what): \(found) instead of \(wanted)") }
}

func expect(_ condition: Bool, _ what: String) throws(Violation) {
    guard condition else { throw Violation(description: "not so: \(what)") }
}

/// Returns the value that has to be there.
func required<Value>(_ value: Value?) throws(Violation) -> Value {
    guard let value else { throw Violation(description: "nothing was found") }
    return value
}

func expect<Value>(_ wanted: StoreError, _ what: String, _ body: () async throws -> Value) async throws {
    do {
        _ = try await body()
    } catch let error as StoreError {
        return try expect(error, is: wanted, what)
    }
    throw Violation(description: "\(what): nothing was thrown instead of \(wanted)")
}
