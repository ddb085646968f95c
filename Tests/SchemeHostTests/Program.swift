import Glibc
import GradingKit
import SchemeHost
import TestKit
import Testing

/// A program that tests start as a scheme.
enum Program {
    /// A program of this package.
    static func built(_ name: String) throws -> String {
        let own = try #require(realpath("/proc/self/exe", nil))
        defer { free(own) }
        let tests = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? String(cString: own)
        return tests.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            + "/" + name
    }

    /// The scheme fixture under a name by which it knows what to be.
    static func fixture(_ name: String, in folder: TemporaryDirectory) throws -> String {
        let path = folder.file(name)
        // Where root tests, a scheme runs as another user.
        try #require(chmod(folder.path, 0o755) == 0)
        try #require(symlink(try built("SchemeFixture"), path) == 0)
        return path
    }

    /// Keeps a program's process as the server would: started by the server's own program.
    static func host(
        _ program: String, _ limits: SchemeLimits = .patient,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
        report: @escaping @Sendable (SchemeEvent) -> Void = { _ in }
    ) throws -> SchemeHost {
        SchemeHost(program, limits: limits, launcher: try built("gradecast"), now: now, report: report)
    }

    /// A scheme in another language, beside the tests.
    static func script(_ name: String) -> String {
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            + "/Schemes/" + name
    }
}
