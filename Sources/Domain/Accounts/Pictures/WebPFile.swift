/// A WebP file (RFC 9649): a RIFF container of chunks with type, length and data.
struct WebPFile {
    private(set) var width = 0
    private(set) var height = 0
    private var body: [UInt8] = []
    private var orientation: Orientation?
    private var isExtended = false

    /// The flags of features that are needed to draw the picture: transparency and animation.
    private static let drawnFlags: UInt8 = 0x10 | 0x02
    private static let exifFlag: UInt8 = 0x08

    private struct Chunk {
        let type: String
        let start: Int
        let length: Int
        /// The type, length and data, padded to an even length.
        let bytes: ArraySlice<UInt8>
    }

    /// Reads the chunks of the container; `nil` unless there is one picture in one of the three encodings.
    init?(_ file: PictureBytes) {
        guard let size = file.little(4, at: 4), let end = file.slice(0, size + 8)?.endIndex,
            var chunk = Self.chunk(in: file, at: 12, before: end), readSize(of: chunk, in: file)
        else { return nil }
        var hasImage = false
        while true {
            guard take(chunk, of: file, &hasImage) else { return nil }
            let next = chunk.bytes.endIndex
            if next == end { break }
            guard let following = Self.chunk(in: file, at: next, before: end) else { return nil }
            chunk = following
        }
        guard hasImage else { return nil }
    }

    private static func chunk(in file: PictureBytes, at position: Int, before end: Int) -> Chunk? {
        guard let type = file.slice(position, 4), let length = file.little(4, at: position + 4),
            let bytes = file.slice(position, 8 + length + length % 2), bytes.endIndex <= end
        else { return nil }
        return Chunk(type: String(decoding: type, as: UTF8.self), start: position + 8, length: length, bytes: bytes)
    }

    /// Reads the encoding and the size from the first chunk; returns `false` if it is invalid.
    private mutating func readSize(of chunk: Chunk, in file: PictureBytes) -> Bool {
        let start = chunk.start
        switch chunk.type {
        case "VP8 " where file.has([0x9D, 0x01, 0x2A], at: start + 3) && chunk.length >= 10:
            guard let width = file.little(2, at: start + 6), let height = file.little(2, at: start + 8) else {
                return false
            }
            (self.width, self.height) = (width & 0x3FFF, height & 0x3FFF)
        case "VP8L" where file[start] == 0x2F && chunk.length >= 5:
            guard let bits = file.little(4, at: start + 1) else { return false }
            (width, height) = (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        case "VP8X" where chunk.length == 10:
            guard let width = file.little(3, at: start + 4), let height = file.little(3, at: start + 7) else {
                return false
            }
            (self.width, self.height) = (width + 1, height + 1)
            isExtended = true
        default:
            return false
        }
        return true
    }

    /// Keeps a chunk that is needed to draw the picture; returns `false` if it is not allowed at its position.
    private mutating func take(_ chunk: Chunk, of file: PictureBytes, _ hasImage: inout Bool) -> Bool {
        switch chunk.type {
        case "VP8 ", "VP8L":
            guard !hasImage else { return false }
            hasImage = true
            body += chunk.bytes
        case "ALPH": body += chunk.bytes
        case "VP8X":
            guard body.isEmpty, let flags = file[chunk.start] else { return false }
            body += chunk.bytes
            body[8] = flags & Self.drawnFlags
        case "ANIM" where chunk.length == 6: body += chunk.bytes
        case "ANMF":
            guard let frame = Self.frame(chunk, of: file) else { return false }
            hasImage = true
            body += frame
        case "EXIF":
            // Some programs write the header that EXIF has in JPEG files.
            let heading = file.has("Exif\0\0".utf8, at: chunk.start) ? 6 : 0
            orientation = orientation ?? Orientation(in: file, at: chunk.start + heading)
        default: break
        }
        return true
    }

    /// Returns a frame of an animation with only its position and its image.
    private static func frame(_ frame: Chunk, of file: PictureBytes) -> [UInt8]? {
        let end = frame.start + frame.length
        guard let place = file.slice(frame.start, 16), frame.length >= 16 else { return nil }
        var data = Array(place)
        var position = frame.start + 16
        while position < end {
            guard let chunk = chunk(in: file, at: position, before: end) else { return nil }
            if ["ALPH", "VP8 ", "VP8L"].contains(chunk.type) { data += chunk.bytes }
            position = chunk.bytes.endIndex
        }
        return Array("ANMF".utf8) + size(data.count) + data
    }

    private static func size(_ count: Int) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: count >> $0) }
    }

    /// The file with only what is needed to draw it.
    var cleaned: [UInt8] {
        var body = body
        if let orientation, isExtended {
            body[8] |= Self.exifFlag
            body += Array("EXIF".utf8) + Self.size(orientation.tiff.count) + orientation.tiff
        }
        return Array("RIFF".utf8) + Self.size(4 + body.count) + Array("WEBP".utf8) + body
    }
}
