public import Shared

/// A change of the stored rows of failed sign-ins.
public enum SignInFailureRowChange: Sendable, Equatable {
    /// Stores the row of a key.
    case set(SignInFailureRow)
    /// Removes the row of a key.
    case remove(SignInFailureKey)
    /// Removes all rows of a subject.
    case removeSubject([UInt8])
    /// Removes so many rows, those that expire first.
    case removeNext(Int)
}

/// The plan of one write to the failure counts.
public typealias SignInFailurePlan = WritePlan<SignInFailureRowChange, Void>

/// Plans the writes of failure counts from the rows that the store found.
public enum SignInFailurePlans {
    /// The maximum number of rows in a store.
    public static let capacity = 100_000

    /// Plans to count failures.
    ///
    /// - Parameters:
    ///   - rows: The rows of the keys in the reports.
    ///   - total: The number of rows in the store.
    ///   - most: The maximum number of rows.
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
    private static let mostCounted = 1_000

    /// Creates the row after a report is added to an earlier row, unless that has expired.
    package init(counting report: SignInFailureReport, besides before: SignInFailureRow?) {
        let standing = before.flatMap { $0.isForgotten(at: report.at) ? nil : $0 }
        let count = min((standing?.count ?? 0) + report.times, Self.mostCounted)
        let (until, memory): (Timestamp, Int64) =
            switch report.rule {
            case .password, .sitePassword:
                (report.at.adding(seconds: Self.delay(after: count, by: report.rule, longest: 900)), 3_600)
            case .code:
                (report.at.adding(seconds: Self.delay(after: count, by: report.rule, longest: 86_400)), 30 * 86_400)
            case .source, .site: (Self.paced(report, after: standing), 0)
            }
        self.init(key: report.key, count: count, until: until, expiresAt: until.adding(seconds: memory))
    }

    /// Returns whether the failures no longer count.
    package func isForgotten(at now: Timestamp) -> Bool { expiresAt <= now }

    /// Returns when the failures of a source would end at an even rate.
    private static func paced(_ report: SignInFailureReport, after standing: SignInFailureRow?) -> Timestamp {
        let start = max(standing?.until ?? report.at, report.at)
        return Timestamp(microseconds: start.microseconds + (report.rule.interval ?? 0) * Int64(report.times))
    }

    /// Returns when a source with this row may try again: once there is room in the minute for one more failure.
    package func retry(by rule: SignInFailureRule) -> Timestamp {
        Timestamp(microseconds: until.microseconds - 60_000_000 + (rule.interval ?? 0))
    }

    private static func delay(after failures: Int, by rule: SignInFailureRule, longest: Int64) -> Int64 {
        let excess = failures - (rule.free ?? 0) - 1
        return excess < 0 ? 0 : excess < 17 ? min(1 << Int64(excess), longest) : longest
    }
}
