import Testing

@testable import HTTP

@Suite struct `The response serialiser` {
    private func write(
        _ response: Response, _ version: RequestHead.Version = .http11, isHead: Bool = false, keepsAlive: Bool = true
    ) -> String {
        var bytes: [UInt8] = []
        ResponseSerializer(version: version, isHead: isHead, keepsAlive: keepsAlive)
            .write(response, date: Array("now".utf8), to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `writes head and body`() {
        #expect(
            write(Response(.created, headers: ["A": "b"], body: [0x61, 0x62]))
                == "HTTP/1.1 201 Created\r\nDate: now\r\nA: b\r\nContent-Length: 2\r\n\r\nab")
    }

    @Test func `tells HEAD the length and not the body`() {
        #expect(
            write(Response(.ok, body: [0x61]), isHead: true)
                == "HTTP/1.1 200 OK\r\nDate: now\r\nContent-Length: 1\r\n\r\n")
    }

    @Test(arguments: [Status.noContent, .notModified]) func `gives bodiless statuses no body and no length`(
        status: Status
    ) {
        #expect(write(Response(status, body: [0x61])) == "HTTP/1.1 \(status)\r\nDate: now\r\n\r\n")
    }

    @Test func `says what becomes of the connection where the version does not`() {
        #expect(write(Response(.ok), keepsAlive: false).contains("\r\nConnection: close\r\n"))
        #expect(write(Response(.ok), .http10).contains("\r\nConnection: keep-alive\r\n"))
        #expect(!write(Response(.ok)).contains("Connection"))
    }

    @Test(arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (951_827_696, "Tue, 29 Feb 2000 12:34:56 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (-5, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (Int64.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ]) func `writes dates`(seconds: Int64, text: String) {
        #expect(String(decoding: HTTPDate.bytes(secondsSince1970: seconds), as: UTF8.self) == text)
    }
}
