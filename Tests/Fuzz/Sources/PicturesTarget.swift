import Accounts

/// A picture is taken or refused; one that is taken is no larger than it may be.
@Sendable func fuzzPictures(_ bytes: [UInt8]) {
    guard let picture = try? Picture(bytes) else { return }
    promise(picture.bytes == bytes && bytes.count <= Picture.maximumSize, "another picture")
}
