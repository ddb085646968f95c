import Glibc
import HTTP
import TestKit
import Testing

@testable import API

@Suite struct `The files of the web client` {
    private let folder: TemporaryDirectory
    private let files: WebFiles

    init() throws {
        folder = try TemporaryDirectory()
        for name in ["app", "app/built"] { mkdir(folder.file(name), 0o755) }
        let contents = [
            "index.html": "page", "app/main.js": "module", "app/built/main-ABC.js": "bundle",
            "app/built/main-ABC.js.gz": "compressed bundle", "app/notes.md": "not for pages",
        ]
        for (name, text) in contents { try write(Array(text.utf8), to: folder.file(name)) }
        files = try WebFiles(folder: folder.path)
    }

    private func answer(_ path: String, _ fields: [String] = []) throws -> Response? {
        var parser = RequestParser()
        parser.feed(Array("GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields.map { $0 + "\r\n" }.joined())\r\n".utf8))
        guard case .request(let head, let body)? = try parser.next() else { throw RequestFault.requestLine }
        return files.response(to: Request(head: head, body: body))
    }

    private func body(_ path: String, _ fields: [String] = []) throws -> String? {
        try answer(path, fields).map { String(decoding: $0.body, as: UTF8.self) }
    }

    private static let compressed = "Accept-Encoding: br, gzip"

    @Test func `are found by their path, and a browser's address is the page`() throws {
        #expect(try body("/") == "page")
        #expect(try body("/app/main.js") == "module")
        #expect(try body("/records/1") == nil)
        #expect(try body("/records/1", ["Accept: text/html"]) == "page")
        #expect(try body("/app/none.js", ["Accept: text/html"]) == nil)
        #expect(try body("/app/notes.md") == nil)
    }

    @Test func `go compressed to clients that take it`() throws {
        let path = "/app/built/main-ABC.js"
        #expect(try body(path, [Self.compressed]) == "compressed bundle")
        #expect(try answer(path, [Self.compressed])?.headers["Content-Encoding"] == "gzip")
        #expect(try answer(path)?.headers["Content-Encoding"] == nil)
        for fields in [[], ["Accept-Encoding: br"], ["Accept-Encoding: gzip;q=0"]] {
            #expect(try body(path, fields) == "bundle")
            // A cache between holds each form apart.
            #expect(try answer(path, fields)?.headers["Vary"] == "Accept-Encoding")
        }
        #expect(try body("/app/main.js", [Self.compressed]) == "module")
        #expect(try answer(path + ".gz") == nil)
    }

    @Test func `are sent again only where they differ from what the client has`() throws {
        let path = "/app/built/main-ABC.js"
        let plain = try #require(try answer(path)?.headers["ETag"])
        let compressed = try #require(try answer(path, [Self.compressed])?.headers["ETag"])
        #expect(plain != compressed)
        #expect(try answer(path, ["If-None-Match: \(plain)"])?.status == .notModified)
        #expect(try answer(path, ["If-None-Match: \(plain)", Self.compressed])?.status == .ok)
        #expect(try answer(path, ["If-None-Match: \(compressed)", Self.compressed])?.status == .notModified)
    }

    @Test func `are kept by clients where their name tells the contents`() throws {
        func caching(_ path: String) throws -> String? {
            try answer(path, ["Accept: text/html"])?.headers["Cache-Control"]
        }
        #expect(try caching("/app/built/main-ABC.js") == "max-age=31536000, immutable")
        for path in ["/", "/app/main.js", "/app/built/anything"] { #expect(try caching(path) == "no-cache") }
    }
}
