/// The bytes of a picture file, with access that is always within bounds.
struct PictureBytes {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }

    /// The byte at a position; `nil` beyond the end.
    subscript(position: Int) -> UInt8? { bytes.indices.contains(position) ? bytes[position] : nil }

    /// Returns the bytes of a range; `nil` if it goes beyond the end.
    func slice(_ position: Int, _ count: Int) -> ArraySlice<UInt8>? {
        guard position >= 0, count >= 0, position <= bytes.count, count <= bytes.count - position else { return nil }
        return bytes[position..<position + count]
    }

    /// Returns whether the pattern is at a position.
    func has(_ pattern: some Collection<UInt8>, at position: Int) -> Bool {
        slice(position, pattern.count)?.elementsEqual(pattern) ?? false
    }

    /// Returns a big-endian number of `count` bytes; `nil` if it goes beyond the end.
    func big(_ count: Int, at position: Int) -> Int? {
        slice(position, count)?.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns a little-endian number of `count` bytes; `nil` if it goes beyond the end.
    func little(_ count: Int, at position: Int) -> Int? {
        slice(position, count)?.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// A picture reduced to what is needed to draw it.
struct CleanPicture: Equatable {
    let format: Picture.Format
    let width: Int
    let height: Int
    let bytes: [UInt8]

    /// Parses a picture file without decoding it, and copies what is needed to draw it; `nil` unless it is one complete
    /// picture. Bytes after its end are dropped too.
    init?(_ bytes: [UInt8]) {
        let file = PictureBytes(bytes)
        if file.has(PNGFile.signature, at: 0) {
            self.init(png: PNGFile(file))
        } else if file.has([0xFF, 0xD8, 0xFF], at: 0) {
            self.init(jpeg: JPEGFile(file))
        } else if file.has("RIFF".utf8, at: 0), file.has("WEBP".utf8, at: 8) {
            self.init(webp: WebPFile(file))
        } else {
            return nil
        }
    }

    private init?(png file: PNGFile?) {
        guard let file else { return nil }
        (format, width, height, bytes) = (.png, file.width, file.height, file.cleaned)
    }

    private init?(jpeg file: JPEGFile?) {
        guard let file else { return nil }
        (format, width, height, bytes) = (.jpeg, file.width, file.height, file.cleaned)
    }

    private init?(webp file: WebPFile?) {
        guard let file else { return nil }
        (format, width, height, bytes) = (.webp, file.width, file.height, file.cleaned)
    }
}
