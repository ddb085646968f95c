/// Walks the structure of a picture file without decoding it.
struct PictureReader {
    struct Found: Equatable {
        let format: Picture.Format
        let width: Int
        let height: Int
    }

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The format and the size in pixels; `nil` for anything that is not one whole picture.
    func read() -> Found? {
        if starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) { return png() }
        if starts(with: [0xFF, 0xD8, 0xFF], at: 0) { return jpeg() }
        if starts(with: Array("RIFF".utf8), at: 0), starts(with: Array("WEBP".utf8), at: 8) { return webp() }
        return nil
    }

    /// Chunks of length, type, data and checksum: `IHDR` first, `IEND` last, image data between.
    private func png() -> Found? {
        var position = 8
        var hasData = false
        while let length = big(4, at: position), length <= bytes.count - position - 12 {
            if position == 8 {
                guard starts(with: Array("IHDR".utf8), at: 12), length == 13 else { return nil }
            } else if starts(with: Array("IDAT".utf8), at: position + 4) {
                hasData = true
            } else if starts(with: Array("IEND".utf8), at: position + 4) {
                guard hasData, length == 0, position + 12 == bytes.count, let width = big(4, at: 16),
                    let height = big(4, at: 20)
                else { return nil }
                return Found(format: .png, width: width, height: height)
            }
            position += 12 + length
        }
        return nil
    }

    /// Marker segments up to the first scan; a frame header among them; the end marker at the very end.
    private func jpeg() -> Found? {
        guard bytes.count > 4, starts(with: [0xFF, 0xD9], at: bytes.count - 2) else { return nil }
        var position = 2
        var frame: Found?
        while position + 4 <= bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            if marker == 0xFF {
                position += 1
                continue
            }
            guard let length = big(2, at: position + 2), length >= 2, position + 2 + length <= bytes.count else {
                return nil
            }
            switch marker {
            case 0xDA: return frame
            case 0xC0, 0xC1, 0xC2:
                guard frame == nil, length >= 8, let height = big(2, at: position + 5),
                    let width = big(2, at: position + 7)
                else { return nil }
                frame = Found(format: .jpeg, width: width, height: height)
            case 0xC4, 0xDB, 0xDD, 0xE0...0xEF, 0xFE: break
            default: return nil
            }
            position += 2 + length
        }
        return nil
    }

    /// One RIFF container that fills the file; the first chunk says which of the three codings it is.
    private func webp() -> Found? {
        guard let size = little(4, at: 4), size + 8 == bytes.count, let length = little(4, at: 16),
            length <= bytes.count - 20
        else { return nil }
        if starts(with: Array("VP8 ".utf8), at: 12), starts(with: [0x9D, 0x01, 0x2A], at: 23), length >= 10,
            let width = little(2, at: 26), let height = little(2, at: 28)
        {
            return Found(format: .webp, width: width & 0x3FFF, height: height & 0x3FFF)
        }
        if starts(with: Array("VP8L".utf8), at: 12), starts(with: [0x2F], at: 20), length >= 5,
            let bits = little(4, at: 21)
        {
            return Found(format: .webp, width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
        }
        if starts(with: Array("VP8X".utf8), at: 12), length >= 10, let width = little(3, at: 24),
            let height = little(3, at: 27)
        {
            return Found(format: .webp, width: width + 1, height: height + 1)
        }
        return nil
    }

    private func starts(with pattern: [UInt8], at position: Int) -> Bool {
        position >= 0 && position + pattern.count <= bytes.count
            && bytes[position..<position + pattern.count].elementsEqual(pattern)
    }

    private func big(_ count: Int, at position: Int) -> Int? {
        guard position >= 0, position + count <= bytes.count else { return nil }
        return bytes[position..<position + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private func little(_ count: Int, at position: Int) -> Int? {
        guard position >= 0, position + count <= bytes.count else { return nil }
        return bytes[position..<position + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
