import DataStore
import Glibc
import Database
import SQLiteStore
import Shared
import TestKit
import Testing

@Suite struct `A copy for reading` {
    let directory: TemporaryDirectory
    var path: String { directory.file("a.db") }

    init() throws { directory = try TemporaryDirectory() }

    private func open() throws -> SQLiteStore { try SQLiteStore.open(path: path) }

    private func exists(_ name: String) -> Bool { access(name, F_OK) == 0 }

    private func bytes(of copy: any StoreCopy) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try await withCheckedThrowingContinuation { continuation in
                copy.read { continuation.resume(with: $0) }
            }
            if piece.isEmpty { return bytes }
            #expect(piece.count <= 262_144)
            bytes += piece
        }
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        let file = try #require(fopen(path, "w"))
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
        fclose(file)
    }

    @Test func `has everything there was when it was made, and is a sound store`() async throws {
        let store = try open()
        for number in 0..<40 { try await store.make("r\(number)", by: "student") }
        let copy = try await store.copy()
        try await store.make("later", by: "student")
        let bytes = try await bytes(of: copy)
        #expect(bytes.count == copy.size)
        await store.close()
        let backup = directory.file("backup.db")
        try write(bytes, to: backup)
        let diagnosis = try SQLiteStore.examine(backup)
        #expect(diagnosis.isSound && diagnosis.records == 40)
    }

    @Test func `has no name once it can be read`() async throws {
        let store = try open()
        let copy = try await store.copy()
        for suffix in [".copy", ".copy.partial", ".copy-journal"] { #expect(!exists(path + suffix)) }
        #expect(try await bytes(of: copy).count == copy.size)
        await store.close()
    }

    @Test func `that a killed process left behind is removed at the next start`() async throws {
        for suffix in [".copy", ".copy.partial"] { try write([1, 2, 3], to: path + suffix) }
        let store = try open()
        for suffix in [".copy", ".copy.partial"] { #expect(!exists(path + suffix)) }
        await store.close()
    }
}
