private import CUnistring
private import Glibc

extension String {
    /// The text in Unicode's normalisation form KC: text that looks or means the same gets the same code points,
    /// whatever keyboard it was typed on.
    ///
    /// One code point may become eighteen, so limit the length first.
    public var compatibilityForm: String { normalized(by: gradecast_nfkc) }

    /// The text in Unicode's normalisation form KD: like ``compatibilityForm``, with marks separated from letters.
    public var decomposedForm: String { normalized(by: gradecast_nfkd) }

    private func normalized(
        by form: (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<Int>?) -> UnsafeMutablePointer<UInt8>?
    ) -> String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        let bytes = Array(utf8)
        var count = 0
        // The call only reads the input while it runs; the result is copied before it is freed here.
        guard let result = form(bytes, bytes.count, &count) else { return self }
        defer { free(result) }
        return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
    }
}
