private import Cryptography
public import GradingKit

/// A picture that was looked through: of a known format, whole, of a sensible size, with nothing behind its end.
///
/// It is never decoded here and never executed anywhere: it goes out under its own type alone.
public struct Picture: Sendable, Equatable {
    /// The most bytes of a picture: 1 MiB.
    public static let maximumSize = 1 << 20
    /// The most pixels of a side.
    public static let maximumSide = 4_096

    /// The formats a picture may have.
    public enum Format: String, Sendable, CaseIterable {
        case png = "image/png"
        case jpeg = "image/jpeg"
        case webp = "image/webp"
    }

    /// The format; its raw value is the media type.
    public let format: Format
    /// The bytes, as they came.
    public let bytes: [UInt8]

    /// Looks through what somebody sent; throws what is wrong with it. What the sender calls it does not matter.
    public init(_ bytes: [UInt8]) throws(FaultList) {
        guard bytes.count <= Picture.maximumSize else {
            throw FaultList([Fault(.pictureTooLarge, ["max": .number("\(Picture.maximumSize)")])])
        }
        guard let found = PictureReader(bytes).read(),
            (1...Picture.maximumSide).contains(found.width), (1...Picture.maximumSide).contains(found.height)
        else { throw FaultList([Fault(.pictureInvalid)]) }
        format = found.format
        self.bytes = bytes
    }

    /// A picture as it was stored, which was looked through once already.
    public init(stored bytes: [UInt8], format: Format) {
        self.bytes = bytes
        self.format = format
    }

    /// Names the content, for caches and ETags: 16 hexadecimal digits.
    public var name: String { SHA256.hash(bytes).prefix(8).hexadecimal }
}
