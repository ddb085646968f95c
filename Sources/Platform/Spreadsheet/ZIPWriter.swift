internal import Compression

/// Writes a ZIP archive piece by piece, and never changes what it has written.
///
/// Each piece is compressed independently and ends on a byte boundary, so the writer is a value without a compressor.
/// Sizes and checksums follow each entry, and are in the directory at the end.
struct ZIPWriter: Sendable {
    /// The archive or an entry exceeds 4 GiB, or memory is short.
    struct Failure: Error {}

    private struct Entry: Sendable {
        let name: [UInt8]
        let place: UInt32
        var sum: UInt32 = 0
        var compressed: UInt32 = 0
        var size: UInt32 = 0
    }

    private static let version: UInt16 = 20
    /// Sizes follow the entry, and its name is UTF-8.
    private static let flags: UInt16 = 1 << 3 | 1 << 11
    private static let deflated: UInt16 = 8
    /// Midnight of 1 January 1980, the earliest time in the format.
    private static let moment: (time: UInt16, day: UInt16) = (0, 1 << 5 | 1)
    /// The last block of every entry, which is empty.
    private static let lastBlock: [UInt8] = [0x03, 0x00]

    /// The bytes that were written and not taken yet.
    private(set) var bytes: [UInt8] = []
    private var taken: UInt32 = 0
    private var entries: [Entry] = []

    /// Begins an entry, after the previous one has ended.
    mutating func begin(_ name: String) throws(Failure) {
        let entry = Entry(name: Array(name.utf8), place: try place())
        append(0x0403_4B50 as UInt32)
        appendTerms()
        for _ in 0..<3 { append(0 as UInt32) }
        append(UInt16(truncatingIfNeeded: entry.name.count))
        append(0 as UInt16)
        bytes += entry.name
        entries.append(entry)
    }

    /// Writes some of the entry that was begun last.
    mutating func write(_ piece: [UInt8]) throws(Failure) {
        guard let last = entries.indices.last, !piece.isEmpty else { return }
        entries[last].sum = Deflate.sum(of: piece, after: entries[last].sum)
        try Self.add(piece.count, to: &entries[last].size)
        guard let compressed = Deflate.piece(piece) else { throw Failure() }
        try Self.add(compressed.count, to: &entries[last].compressed)
        bytes += compressed
    }

    /// Ends the entry that was begun last.
    mutating func endEntry() throws(Failure) {
        guard let last = entries.indices.last else { return }
        bytes += Self.lastBlock
        try Self.add(Self.lastBlock.count, to: &entries[last].compressed)
        append(0x0807_4B50 as UInt32)
        appendSizes(of: entries[last])
    }

    /// Writes the directory; nothing may follow.
    mutating func end() throws(Failure) {
        let start = try place()
        for entry in entries {
            append(0x0201_4B50 as UInt32)
            append(Self.version)
            appendTerms()
            appendSizes(of: entry)
            append(UInt16(truncatingIfNeeded: entry.name.count))
            // No further fields, no comment, one disk, no attributes.
            for _ in 0..<4 { append(0 as UInt16) }
            append(0 as UInt32)
            append(entry.place)
            bytes += entry.name
        }
        let size = try place() - start
        append(0x0605_4B50 as UInt32)
        append(0 as UInt32)
        for _ in 0..<2 { append(UInt16(truncatingIfNeeded: entries.count)) }
        append(size)
        append(start)
        append(0 as UInt16)
    }

    /// Returns what was written since this was last called.
    mutating func take() throws(Failure) -> [UInt8] {
        taken = try place()
        defer { bytes = [] }
        return bytes
    }

    // MARK: - Parts

    private func place() throws(Failure) -> UInt32 {
        var place = taken
        try Self.add(bytes.count, to: &place)
        return place
    }

    private static func add(_ count: Int, to size: inout UInt32) throws(Failure) {
        guard let sum = UInt32(exactly: Int(size) + count) else { throw Failure() }
        size = sum
    }

    private mutating func appendTerms() {
        for term in [Self.version, Self.flags, Self.deflated, Self.moment.time, Self.moment.day] { append(term) }
    }

    private mutating func appendSizes(of entry: Entry) {
        for number in [entry.sum, entry.compressed, entry.size] { append(number) }
    }

    private mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }
}
