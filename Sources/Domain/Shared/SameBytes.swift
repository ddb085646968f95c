private import Glibc

extension [UInt8] {
    /// Returns whether both arrays hold the same bytes. Compares with `memcmp`, since every change compares documents.
    public func isSame(as other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        return withUnsafeBytes { mine in
            other.withUnsafeBytes { its in
                // Both hold `count` bytes; an empty array may have no address.
                guard let mine = mine.baseAddress, let its = its.baseAddress else { return true }
                return memcmp(mine, its, count) == 0
            }
        }
    }

    /// Returns whether the array holds a sequence of bytes.
    ///
    /// `Collection.contains` is far slower: it takes milliseconds for a document of a few kilobytes.
    ///
    /// - Parameter place: the position in `mark` of the byte to search for; a rare byte makes the search fast.
    public func holds(_ mark: [UInt8], searchingFor place: Int = 0) -> Bool {
        guard mark.indices.contains(place), count >= mark.count else { return mark.isEmpty }
        let length = mark.count
        return withUnsafeBytes { text in
            mark.withUnsafeBytes { mark in
                guard let text = text.baseAddress, let mark = mark.baseAddress else { return false }
                let byte = Int32(mark.load(fromByteOffset: place, as: UInt8.self))
                var next = text + place
                let end = next + (count - length + 1)
                while next < end, let found = memchr(next, byte, end - next) {
                    let found = UnsafeRawPointer(found)
                    if memcmp(found - place, mark, length) == 0 { return true }
                    next = found + 1
                }
                return false
            }
        }
    }
}
