import Foundation
import Testing

import Compression

@Suite struct GZipTests {
    @Test func `what is compressed is restored by gzip`() throws {
        let document = Array(String(repeating: "Every grade, exactly. ", count: 500).utf8)
        let compressed = try #require(GZip.compress(document))
        #expect(compressed.count < document.count / 10)
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).gz")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(compressed).write(to: file)
        #expect(try restored(file) == document)
    }

    @Test func `what would be no shorter stays as it is`() {
        #expect(GZip.compress([]) == nil)
        #expect(GZip.compress([1, 2, 3]) == nil)
        #expect(GZip.compress((0..<2000).map { _ in UInt8.random(in: 0...255) }) == nil)
    }

    private func restored(_ file: URL) throws -> [UInt8] {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/bin/gzip")
        process.arguments = ["-dc", file.path]
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Array(data)
    }
}
