import Glibc

/// The seeds that a test of random records draws from.
public enum Seeds {
    /// How many times as many there are in a long run: `GRADECAST_SEEDS`, at least 1.
    private static let factor = max(1, getenv("GRADECAST_SEEDS").flatMap { UInt64(String(cString: $0)) } ?? 1)

    /// Whether this is a long run.
    public static var isLong: Bool { factor > 1 }

    /// So many seeds in a short run, from 1 on.
    public static func few(_ count: UInt64) -> ClosedRange<UInt64> { 1...count * factor }
}
