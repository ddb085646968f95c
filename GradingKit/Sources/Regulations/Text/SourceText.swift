/// The text of a document as bytes, and its lines for places.
struct SourceText: Sendable {
    let bytes: [UInt8]
    /// The start of each line.
    private let starts: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        starts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    }

    /// The lines without line ends, as ranges of bytes.
    var lines: [Range<Int>] {
        starts.indices.map { number in
            var end = number + 1 < starts.count ? starts[number + 1] - 1 : bytes.count
            if end > starts[number], bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
            return starts[number]..<end
        }
    }

    /// Line and column of an offset, counted from 1. Columns count Unicode scalars.
    func position(of place: Int) -> (line: Int, column: Int) {
        var (low, high) = (0, starts.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if starts[middle] <= place { low = middle } else { high = middle - 1 }
        }
        let scalars = bytes[starts[low]..<min(max(place, starts[low]), bytes.count)].count { $0 & 0xC0 != 0x80 }
        return (low + 1, scalars + 1)
    }

    /// Whether two ranges have the same text. Long ranges are not compared.
    func isSame(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        if left == right { return true }
        guard left.count == right.count, left.count <= 1_000, left.upperBound <= bytes.count,
            right.upperBound <= bytes.count
        else { return false }
        return bytes[left] == bytes[right]
    }

    /// The text of a range.
    subscript(range: Range<Int>) -> String {
        String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
    }
}
