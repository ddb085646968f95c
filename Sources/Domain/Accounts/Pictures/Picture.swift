private import Cryptography
import JSON
public import Messages

/// A picture that was looked through: its format is known, it is whole and of a sensible size, and only what draws it is
/// kept.
///
/// What cameras and programs write beside it — place, time, device, names, colour profiles, smaller copies — is left
/// out; only how the camera was held is kept, so that the picture stays upright. Pixels are copied as they are: the
/// picture is never decoded here and never executed anywhere, and it goes out under its own type alone.
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
    /// The file, without metadata.
    public let bytes: [UInt8]

    /// Looks through what was sent; throws what is wrong with it. What the sender calls it does not matter.
    public init(_ bytes: [UInt8]) throws(FaultList) {
        guard bytes.count <= Picture.maximumSize else {
            throw FaultList([Fault(.pictureTooLarge, ["max": .number("\(Picture.maximumSize)")])])
        }
        guard let clean = CleanPicture(bytes),
            (1...Picture.maximumSide).contains(clean.width), (1...Picture.maximumSide).contains(clean.height)
        else { throw FaultList([Fault(.pictureInvalid)]) }
        format = clean.format
        self.bytes = clean.bytes
    }

    /// A picture as it was stored; one that was stored with metadata, by an earlier version, loses it here. `nil` for
    /// bytes that are no picture.
    public init?(stored bytes: [UInt8]) {
        guard let clean = CleanPicture(bytes) else { return nil }
        format = clean.format
        self.bytes = clean.bytes
    }

    /// Names the content, for caches and ETags: 16 hexadecimal digits.
    public var name: String { SHA256.hash(bytes).prefix(8).hexadecimal }
}
