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
        try #require(symlink(try built("SchemeFixture"), path) == 0)
        return path
    }

    /// A scheme in another language, beside the tests.
    static func script(_ name: String) -> String {
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            + "/Schemes/" + name
    }
}
