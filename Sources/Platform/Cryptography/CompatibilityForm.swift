private import CUnistring
private import Glibc

extension String {
    /// The text in Unicode's normalisation form KC: what looks or means the same, typed on whatever keyboard,
    /// becomes the same code points.
    ///
    /// One code point may become eighteen: bound the length before asking.
    public var compatibilityForm: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        let bytes = Array(utf8)
        var count = 0
        // The input is read during the call only; the result is ours to free, and is copied before.
        guard let result = gradecast_nfkc(bytes, bytes.count, &count) else { return self }
        defer { free(result) }
        return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
    }
}
