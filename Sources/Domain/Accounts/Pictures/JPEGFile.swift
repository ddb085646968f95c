/// A JPEG file (ITU-T T.81): segments that begin with a marker, and scans of entropy-coded data.
struct JPEGFile {
    private(set) var width = 0
    private(set) var height = 0
    private var application: [UInt8] = []
    private var body: [UInt8] = []
    private var orientation: Orientation?

    /// Parses from the first marker to the end marker; `nil` unless there is one frame with at least one scan.
    init?(_ file: PictureBytes) {
        var position = 2
        var hasScan = false
        while let marker = Self.marker(in: file, at: &position) {
            if marker == 0xD9 {
                guard hasScan else { return nil }
                return
            }
            guard let length = file.big(2, at: position), length >= 2, let segment = file.slice(position, length) else {
                return nil
            }
            guard take(marker, segment, at: position, of: file) else { return nil }
            position += length
            if marker == 0xDA {
                guard height > 0, let end = Self.endOfScan(in: file, from: position) else { return nil }
                body += file.bytes[position..<end]
                position = end
                hasScan = true
            }
        }
        return nil
    }

    /// Reads the marker at a position, after any number of fill bytes, and moves the position behind it.
    private static func marker(in file: PictureBytes, at position: inout Int) -> UInt8? {
        guard file[position] == 0xFF else { return nil }
        while file[position] == 0xFF { position += 1 }
        defer { position += 1 }
        return file[position]
    }

    /// Keeps a segment that is needed to draw the picture; returns `false` if this server does not accept it.
    private mutating func take(
        _ marker: UInt8, _ segment: ArraySlice<UInt8>, at position: Int, of file: PictureBytes
    ) -> Bool {
        switch marker {
        case 0xC0, 0xC1, 0xC2:
            guard height == 0, segment.count >= 8, let lines = file.big(2, at: position + 3), lines > 0,
                let samples = file.big(2, at: position + 5)
            else { return false }
            (width, height) = (samples, lines)
            body += [0xFF, marker] + segment
        case 0xC4, 0xDA, 0xDB, 0xDD: body += [0xFF, marker] + segment
        case 0xE0...0xEF: takeApplicationData(marker, segment, at: position, of: file)
        case 0xFE: break
        default: return false
        }
        return true
    }

    /// Keeps the application data that says how colours are encoded, without a thumbnail, and the orientation.
    private mutating func takeApplicationData(
        _ marker: UInt8, _ segment: ArraySlice<UInt8>, at position: Int, of file: PictureBytes
    ) {
        if marker == 0xE0, segment.count >= 16, file.has("JFIF\0".utf8, at: position + 2) {
            application += [0xFF, 0xE0, 0, 16] + segment.dropFirst(2).prefix(12) + [0, 0]
        } else if marker == 0xEE, segment.count == 14, file.has("Adobe".utf8, at: position + 2) {
            application += [0xFF, 0xEE] + segment
        } else if marker == 0xE1, file.has("Exif\0\0".utf8, at: position + 2) {
            orientation = orientation ?? Orientation(in: file, at: position + 8)
        }
    }

    /// Returns the position of the marker that ends a scan; restart markers and stuffed bytes are part of the scan.
    private static func endOfScan(in file: PictureBytes, from start: Int) -> Int? {
        var position = start
        while let next = file[position + 1] {
            if file.bytes[position] == 0xFF, next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) { return position }
            position += 1
        }
        return nil
    }

    /// The file with only what is needed to draw it.
    var cleaned: [UInt8] {
        var cleaned: [UInt8] = [0xFF, 0xD8] + application
        if let orientation {
            let data = Array("Exif\0\0".utf8) + orientation.tiff
            cleaned += [0xFF, 0xE1, 0, UInt8(truncatingIfNeeded: data.count + 2)] + data
        }
        return cleaned + body + [0xFF, 0xD9]
    }
}
