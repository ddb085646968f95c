private import Cryptography
import JSON
public import Messages

/// A checked picture: its format is known, it is complete and of an acceptable size, and it contains only what is
/// needed to draw it.
///
/// The metadata that cameras and programs add – place, time, device, names, colour profiles, thumbnails – is removed,
/// except for the orientation, which keeps the picture upright. Pixels are copied unchanged: the server never decodes
/// the picture, and sends it only with its own media type.
public struct Picture: Sendable, Equatable {
    /// The maximum size of a picture: 1 MiB.
    public static let maximumSize = 1 << 20
    /// The maximum width and height in pixels.
    public static let maximumSide = 4_096

    /// The accepted formats.
    public enum Format: String, Sendable, CaseIterable {
        case png = "image/png"
        case jpeg = "image/jpeg"
        case webp = "image/webp"
    }

    /// The format; its raw value is the media type.
    public let format: Format
    /// The file, without metadata.
    public let bytes: [UInt8]

    /// Checks the bytes that were sent; throws their faults. The media type that the sender claims is ignored.
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

    /// Creates a picture from stored bytes, without metadata that an earlier version may have stored; `nil` if the
    /// bytes are not a picture.
    public init?(stored bytes: [UInt8]) {
        guard let clean = CleanPicture(bytes) else { return nil }
        format = clean.format
        self.bytes = clean.bytes
    }

    /// The name of the content, for caches and ETags: 16 hexadecimal digits.
    public var name: String { SHA256.hash(bytes).prefix(8).hexadecimal }
}
