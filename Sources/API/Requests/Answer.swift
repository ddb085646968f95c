import GradingKit
import HTTP
import Shared

extension Response {
    /// Returns a response with the JSON document that `write` writes.
    static func json(_ status: Status = .ok, _ write: (inout JSONWriter) -> Void) -> Response {
        var writer = JSONWriter()
        write(&writer)
        return .json(status, bytes: writer.bytes)
    }

    /// Returns a response with a JSON document that is already encoded.
    static func json(_ status: Status = .ok, bytes: [UInt8]) -> Response {
        Response(status, type: "application/json", body: bytes)
    }

    /// Returns `{"items":[…]}`, with a link to the next page if there are more items than the page may have.
    ///
    /// - Parameter items: one item more than the page may have, if there are so many; it is not written (``PageLimit``).
    static func list<Item>(
        _ items: [Item], limit: Int, of call: some ListCall, cursor: (Item) -> String,
        write: (Item, inout JSONWriter) -> Void
    ) -> Response {
        list(Array(items.prefix(limit)), hasMore: items.count > limit, of: call, cursor: cursor, write: write)
    }

    /// Returns `{"items":[…]}`, with a link to the next page if there is one.
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

    /// Returns 304, for a client that already has this revision.
    static func notModified(_ revision: Revision) -> Response { Response(.notModified).tagged(revision) }

    /// Returns the response with the revision as its strong entity tag.
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
    /// Returns the address of the page that begins after `cursor`.
    func nextPage(after cursor: String) -> String
}

extension Call: ListCall {
    func nextPage(after cursor: String) -> String {
        address(with: .init(name: "cursor", value: Query.cursor(after: cursor)))
    }

    /// Returns whether the client already has this revision (`If-None-Match`).
    func has(_ revision: Revision) throws -> Bool {
        guard let header = try read(Header.ifNoneMatch) else { return false }
        return ListMembers(of: header).contains { tag in
            let strong = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
            return tag == "*"
                || strong.hasPrefix("\"") && strong.hasSuffix("\"")
                    && revision.isSaid(by: strong.dropFirst().dropLast())
        }
    }

    /// Returns a versioned document, or 304 if the client already has it.
    func document(_ bytes: @autoclosure () -> [UInt8], at revision: Revision) throws -> Response {
        try has(revision)
            ? .notModified(revision) : Response.json(bytes: bytes()).tagged(revision)
    }
}

extension Revision {
    /// Returns whether a text is this revision's description, without building the description.
    fileprivate func isSaid(by text: Substring) -> Bool {
        guard text.utf8.starts(with: epoch.text.utf8) else { return false }
        let rest = text.utf8.dropFirst(epoch.text.utf8.count)
        return rest.first == UInt8(ascii: ".") && rest.dropFirst().elementsEqual(String(version).utf8)
    }
}
