import GradingKit
import HTTP
import Shared

extension Response {
    /// A JSON document, written on the spot.
    static func json(_ status: Status = .ok, _ write: (inout JSONWriter) -> Void) -> Response {
        var writer = JSONWriter()
        write(&writer)
        return .json(status, bytes: writer.bytes)
    }

    /// A JSON document that is there already.
    static func json(_ status: Status = .ok, bytes: [UInt8]) -> Response {
        Response(status, type: "application/json", body: bytes)
    }

    /// `{"items":[…]}` with a link to the next page, where a page as long as asked for may have one.
    static func list<Item>(
        _ items: [Item], limit: Int, of call: some ListCall, cursor: (Item) -> String,
        write: (Item, inout JSONWriter) -> Void
    ) -> Response {
        list(items, hasMore: items.count == limit, of: call, cursor: cursor, write: write)
    }

    /// `{"items":[…]}` with a link to the next page, if there is one.
    static func list<Item>(
        _ items: [Item], hasMore: Bool, of call: some ListCall, cursor: (Item) -> String,
        write: (Item, inout JSONWriter) -> Void
    ) -> Response {
        var response = Response.json { writer in
            writer.object { writer in
                writer.member("items") { writer in
                    writer.array { for item in items { write(item, &$0) } }
                }
            }
        }
        if hasMore, let last = items.last {
            response.headers.set("Link", "<\(call.nextPage(after: cursor(last)))>; rel=\"next\"")
        }
        return response
    }

    /// 304: the client has this version.
    static func notModified(_ revision: Revision) -> Response { Response(.notModified).tagged(revision) }

    /// The response with a strong entity tag.
    consuming func tagged(_ revision: Revision) -> Response {
        headers.set("ETag") { text in
            text.append(UInt8(ascii: "\""))
            text.append(contentsOf: revision.epoch.text.utf8)
            text.append(UInt8(ascii: "."))
            text.append(decimal: revision.version)
            text.append(UInt8(ascii: "\""))
        }
        return self
    }
}

/// A call that may be answered with one page of a list.
protocol ListCall {
    /// The address of the page that begins after a place.
    func nextPage(after cursor: String) -> String
}

extension Call: ListCall {
    func nextPage(after cursor: String) -> String {
        address(with: .init(name: "cursor", value: Query.cursor(after: cursor)))
    }

    /// Whether the client has this version already (`If-None-Match`).
    func has(_ revision: Revision) throws -> Bool {
        guard let header = try read(Header.ifNoneMatch) else { return false }
        return ListMembers(of: header).contains { tag in
            let strong = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
            return tag == "*"
                || strong.hasPrefix("\"") && strong.hasSuffix("\"")
                    && revision.isSaid(by: strong.dropFirst().dropLast())
        }
    }

    /// A versioned document, or 304 when the client has it.
    func document(_ bytes: @autoclosure () -> [UInt8], at revision: Revision) throws -> Response {
        try has(revision)
            ? .notModified(revision) : Response.json(bytes: bytes()).tagged(revision)
    }
}

extension Revision {
    /// Whether a text is the description of this one, which is not written for that.
    fileprivate func isSaid(by text: Substring) -> Bool {
        guard text.utf8.starts(with: epoch.text.utf8) else { return false }
        let rest = text.utf8.dropFirst(epoch.text.utf8.count)
        return rest.first == UInt8(ascii: ".") && rest.dropFirst().elementsEqual(String(version).utf8)
    }
}
