/// The byte classes of RFC 9110 and 9112 as bit sets, which need neither tables in memory nor strings.
enum Bytes {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    /// A set of ASCII bytes.
    struct Set {
        private var low: UInt64 = 0
        private var high: UInt64 = 0

        init(_ members: StaticString) {
            members.withUTF8Buffer { bytes in
                for byte in bytes {
                    if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
                }
            }
        }

        @inline(__always)
        func contains(_ byte: UInt8) -> Bool {
            let half = byte < 64 ? low : high
            return byte < 128 && (half >> UInt64(byte & 63)) & 1 == 1
        }
    }

    /// The bytes of methods and field names.
    static let token = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    /// The bytes of `Host`: a name or address and a port. User names, paths and lists are not allowed.
    static let authority = Set("-._~%!$&'()*+;=:[]0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")

    /// Returns whether a field's value may contain `byte`: visible, blank, or above ASCII, but no control character.
    @inline(__always)
    static func isFieldContent(_ byte: UInt8) -> Bool {
        (byte >= 0x20 && byte != 0x7F) || byte == tab
    }

    /// Returns whether `byte` is a blank or a tab.
    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    /// Returns a letter in lower case, and any other byte unchanged.
    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// Returns the value of a hexadecimal digit; `nil` for any other byte.
    @inline(__always)
    static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
