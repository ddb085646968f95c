private import CExpat

/// Reads small XML documents that come from outside, with libexpat.
///
/// A document type declaration is refused at its start, and so is every entity that could grow or refer elsewhere.
/// Depth and number of elements are limited; attributes are not read.
public final class XMLReader {
    /// The largest document, in bytes.
    public static let maximumLength = 256 << 10
    /// How deep elements may be nested.
    public static let maximumDepth = 16
    /// The largest number of elements in a document.
    public static let maximumCount = 4_096

    /// Separates a namespace from a name; no address contains it.
    private static let separator: UInt8 = 0x0A

    private let parser: XML_Parser
    private var open: [XMLElement] = []
    private var root: XMLElement?
    private var count = 0

    private init?() {
        guard let parser = XML_ParserCreateNS(nil, XML_Char(Self.separator)) else { return nil }
        self.parser = parser
    }

    deinit { XML_ParserFree(parser) }

    /// Returns the root of a document; `nil` for anything that is not a whole document within the limits.
    public static func read(_ bytes: [UInt8]) -> XMLElement? {
        guard bytes.count <= maximumLength, let reader = XMLReader() else { return nil }
        return reader.read(bytes)
    }

    private func read(_ bytes: [UInt8]) -> XMLElement? {
        // The parser calls back only within `XML_Parse`, while this object is on the stack of its caller.
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser, { context, name, _ in XMLReader.of(context)?.begin(name) },
            { context, _ in XMLReader.of(context)?.end() })
        XML_SetCharacterDataHandler(parser) { XMLReader.of($0)?.add($1, $2) }
        XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in XMLReader.of(context)?.stop() }
        let isRead = bytes.withUnsafeBytes { buffer in
            // The count fits, because it is limited above.
            XML_Parse(parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), 1)
        }
        return isRead == XML_STATUS_OK && open.isEmpty ? root : nil
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> XMLReader? {
        context.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private func begin(_ name: UnsafePointer<XML_Char>?) {
        guard let name, open.count < Self.maximumDepth, count < Self.maximumCount else { return stop() }
        count += 1
        let parts = String(cString: name).split(separator: "\n", maxSplits: 1)
        open.append(
            XMLElement(namespace: parts.count == 2 ? String(parts[0]) : "", name: String(parts.last ?? "")))
    }

    private func end() {
        guard let element = open.popLast() else { return }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }

    private func add(_ text: UnsafePointer<XML_Char>?, _ count: Int32) {
        guard let text, let last = open.indices.last else { return }
        // libexpat owns `count` bytes there for the duration of this call, which are whole characters of UTF-8.
        let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
        open[last].text += String(decoding: bytes, as: UTF8.self)
    }

    private func stop() { XML_StopParser(parser, 0) }
}
