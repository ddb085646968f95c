private import CQRCode

/// A QR code: black and white modules that a camera reads.
public struct QRCode: Sendable, Equatable {
    /// The number of modules on a side.
    public let side: Int
    /// Whether each module is dark, row by row; `side` times `side` modules.
    private let modules: [Bool]

    /// The longest text that is encoded, in bytes.
    public static let longest = 1_024

    /// Encodes a text with medium error correction, which lets a seventh of the code be unreadable; `nil` for a text
    /// that is empty, longer than ``longest`` or has a NUL.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (1...QRCode.longest).contains(bytes.count), !bytes.contains(0) else { return nil }
        // The call only reads the bytes while it runs.
        guard let symbol = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(symbol) }
        let side = Int(symbol.pointee.width)
        guard side > 0, let data = symbol.pointee.data else { return nil }
        // The library gives one byte per module, `side` rows of `side`; the lowest bit is set if the module is dark.
        modules = UnsafeBufferPointer(start: data, count: side * side).map { $0 & 1 == 1 }
        self.side = side
    }

    /// Returns whether the module is dark; `false` outside the code.
    public func isDark(row: Int, column: Int) -> Bool {
        (0..<side).contains(row) && (0..<side).contains(column) && modules[row * side + column]
    }

    /// The code as an SVG document, black on white in either theme, with the white border that readers need.
    public var svg: String {
        let border = 4
        let size = side + 2 * border
        var path = ""
        for row in 0..<side {
            var column = 0
            while column < side {
                let start = column
                while isDark(row: row, column: column) { column += 1 }
                if column > start {
                    path += "M\(start + border) \(row + border)h\(column - start)v1H\(start + border)z"
                }
                column += 1
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" shape-rendering="crispEdges">\
            <path fill="#fff" d="M0 0h\(size)v\(size)H0z"/><path d="\(path)"/></svg>
            """
    }
}
