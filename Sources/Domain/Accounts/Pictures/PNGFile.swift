/// A PNG file (ISO/IEC 15948): chunks of length, type, data and checksum.
struct PNGFile {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The chunks that are needed to draw the picture, each with its maximum length in bytes.
    private static let drawn: [String: Int] = [
        "IHDR": 13, "PLTE": 768, "IDAT": .max, "IEND": 0, "tRNS": 256, "gAMA": 4, "cHRM": 32, "sRGB": 1, "sBIT": 4,
        "cICP": 4, "acTL": 8, "fcTL": 26, "fdAT": .max,
    ]

    let width: Int
    let height: Int
    private var header: [UInt8] = []
    private var body: [UInt8] = []
    private var orientation: Orientation?

    /// Reads the chunks: `IHDR`, image data, `IEND`; `nil` for anything else.
    init?(_ file: PictureBytes) {
        guard file.big(4, at: 8) == 13, file.has("IHDR".utf8, at: 12), let width = file.big(4, at: 16),
            let height = file.big(4, at: 20), let header = file.slice(8, 25)
        else { return nil }
        self.width = width
        self.height = height
        self.header = Array(header)
        guard readChunks(of: file) else { return nil }
    }

    private mutating func readChunks(of file: PictureBytes) -> Bool {
        var position = 33
        var hasData = false
        while let length = file.big(4, at: position), let chunk = file.slice(position, length + 12),
            let name = file.slice(position + 4, 4)
        {
            let type = String(decoding: name, as: UTF8.self)
            if let limit = Self.drawn[type] {
                guard length <= limit, type != "IHDR" else { return false }
                body += chunk
            } else if type == "eXIf" {
                orientation = orientation ?? Orientation(in: file, at: position + 8)
            } else if name.first.map({ $0 & 0x20 == 0 }) == true {
                return false  // An unknown critical chunk may be needed to draw the picture.
            }
            if type == "IDAT" { hasData = true }
            if type == "IEND" { return hasData }
            position += length + 12
        }
        return false
    }

    /// The file with only what is needed to draw it.
    var cleaned: [UInt8] {
        Self.signature + header + (orientation.map { Self.chunk("eXIf", $0.tiff) } ?? []) + body
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + data
        return bytes(UInt32(truncatingIfNeeded: data.count)) + checked + bytes(checksum(checked))
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// Returns the CRC-32 of some bytes.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = .max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xEDB8_8320 }
        }
        return ~sum
    }
}
