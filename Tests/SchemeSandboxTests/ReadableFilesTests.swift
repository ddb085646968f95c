import Glibc
import TestKit
import Testing

@testable import SchemeSandbox

@Suite struct ReadableFilesTests {
    private let folder: TemporaryDirectory
    private let root: String

    init() throws {
        folder = try TemporaryDirectory()
        root = ReadableFiles.resolved(folder.path)
        for path in ["plugins", "plugins/german", "data", "data/old"] { #expect(mkdir(folder.file(path), 0o755) == 0) }
        for path in ["data/gradecast.db", "config.json", "plugins/german/run"] {
            close(open(folder.file(path), O_CREAT | O_WRONLY, 0o600))
        }
    }

    private func granted(below roots: [String], without secret: [String]) -> [String] {
        ReadableFiles(below: roots.map(folder.file), without: secret.map(folder.file)).granted.map {
            String($0.dropFirst(root.count))
        }
    }

    @Test func `a folder without secrets is given whole`() {
        #expect(granted(below: ["plugins"], without: ["data"]) == ["/plugins"])
    }

    @Test func `a folder that holds secrets is given without them`() {
        #expect(Set(granted(below: ["."], without: ["data", "keys/pepper"])) == ["/plugins", "/config.json"])
        #expect(
            Set(granted(below: ["."], without: ["data/gradecast.db"])) == ["/plugins", "/config.json", "/data/old"])
    }

    @Test func `nothing below a secret is given, nor by a link to it`() {
        #expect(granted(below: ["data/old"], without: ["data"]) == [])
        #expect(symlink(folder.file("data"), folder.file("plugins/link")) == 0)
        #expect(granted(below: ["plugins/link"], without: ["data"]) == [])
        #expect(granted(below: ["plugins"], without: ["plugins/link/gradecast.db"]) == ["/plugins"])
    }

    @Test func `what is not there yet has its place`() {
        #expect(ReadableFiles.resolved(folder.file("a/../b/c")).hasPrefix(root))
        #expect(granted(below: ["."], without: ["later/secret"]).count == 3)
    }
}
