import Shared

/// What accounts have stored under their keys since this writer last looked at all that they have stored.
///
/// It spares each change the question how much that is. What accounts stored before a start, or on another node, is found
/// when one is looked at; until then an account can have more than the limit by ``slack`` for each node.
struct AnswerTally {
    /// How much an account stores between two looks, in bytes as ``KeptAnswer/weight`` counts them.
    static let slack = IdempotencyKey.most / 16
    /// The maximum number of accounts that are counted at once.
    private static let mostAccounts = 4096

    private var stored: [AccountID: Int] = [:]

    /// Notes that an answer is about to be stored.
    ///
    /// - Returns: the account, if it is time to look at what it has stored.
    mutating func note(_ kept: KeptAnswer) -> AccountID? {
        let sum = stored[kept.account, default: 0] + kept.weight
        if sum >= Self.slack {
            stored[kept.account] = nil
            return kept.account
        }
        // Beyond that many, those who have stored least begin anew.
        if stored.count >= Self.mostAccounts, stored[kept.account] == nil {
            let median = stored.values.sorted()[Self.mostAccounts / 2]
            stored = stored.filter { $0.value > median }
        }
        stored[kept.account] = sum
        return nil
    }
}
