import Accounts

/// A picture is taken or refused; one that is taken grows by no more than how the camera was held, and has nothing left
/// to lose.
@Sendable func fuzzPictures(_ bytes: [UInt8]) {
    guard let picture = try? Picture(bytes) else { return }
    promise(picture.bytes.count <= bytes.count + 64, "a larger picture")
    promise((try? Picture(picture.bytes))?.bytes == picture.bytes, "another picture")
}
