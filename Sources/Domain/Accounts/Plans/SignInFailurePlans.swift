public import Shared

/// A change of the rows that failures to sign in are counted in.
public enum SignInFailureRowChange: Sendable, Equatable {
    /// What is counted under a key from now on.
    case set(SignInFailureRow)
    /// Nothing is counted under a key any more.
    case remove(SignInFailureKey)
    /// Nothing is counted for a subject any more.
    case removeSubject([UInt8])
    /// So many rows go, those that are forgotten next.
    case removeNext(Int)
}

/// What one write does to the counts of failures.
public typealias SignInFailurePlan = WritePlan<SignInFailureRowChange, Void>

/// The rules of counting failures to sign in, over the rows that a store has found.
public enum SignInFailurePlans {
    /// How many rows a store keeps.
    public static let capacity = 100_000

    /// Failures that are counted.
    ///
    /// - Parameters:
    ///   - rows: what is counted under the keys of the reports.
    ///   - total: how many rows there are.
    ///   - most: how many there may be.
    public static func counting(
        _ reports: [SignInFailureReport], found rows: [SignInFailureRow], total: Int, keeping most: Int
    ) -> SignInFailurePlan {
        let before = Dictionary(rows.map { ($0.key, $0) }) { first, _ in first }
        var after: [SignInFailureKey: SignInFailureRow] = [:]
        for report in reports {
            after[report.key] = SignInFailureRow(counting: report, besides: after[report.key] ?? before[report.key])
        }
        let excess = total + after.keys.count(where: { before[$0] == nil }) - most
        return SignInFailurePlan(after.values.map { .set($0) } + (excess > 0 ? [.removeNext(excess)] : []))
    }
}

extension SignInFailureRow {
    static let freeFailures = 4
    private static let mostCounted = 1_000

    /// What is counted once a report has been added to what was before.
    init(counting report: SignInFailureReport, besides before: SignInFailureRow?) {
        let standing = before.flatMap { $0.isForgotten(at: report.at) ? nil : $0 }
        let count = min((standing?.count ?? 0) + report.times, Self.mostCounted)
        let (until, memory): (Timestamp, Int64) =
            switch report.rule {
            case .password: (report.at.adding(seconds: Self.delay(after: count, longest: 900)), 3_600)
            case .code: (report.at.adding(seconds: Self.delay(after: count, longest: 86_400)), 30 * 86_400)
            case .source: (max(standing?.until ?? report.at, report.at).adding(seconds: 3 * Int64(report.times)), 0)
            }
        self.init(key: report.key, count: count, until: until, expiresAt: until.adding(seconds: memory))
    }

    /// Whether the failures count no longer.
    func isForgotten(at now: Timestamp) -> Bool { expiresAt <= now }

    private static func delay(after failures: Int, longest: Int64) -> Int64 {
        let excess = failures - freeFailures - 1
        return excess < 0 ? 0 : excess < 17 ? min(1 << Int64(excess), longest) : longest
    }
}
