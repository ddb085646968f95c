import Accounts
import GradingKit
import Testing

/// The smallest pictures of each format, 1 × 1 pixel unless said otherwise.
enum Pictures {
    static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        + [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0x3A, 0x7E, 0x9B, 0x55]
        + [0, 0, 0, 10, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x60, 0, 0, 0, 2, 0, 1, 0x48, 0xAF, 0xA4, 0x71]
        + [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

    static func jpeg(width: UInt8) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0x4A, 0x46, 0xFF, 0xC0, 0, 11, 8, 0, 2, 0, width, 1, 1, 0x11, 0]
            + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0x3F, 0, 0x12, 0xFF, 0xD9]
    }

    static func riff(_ chunk: [UInt8]) -> [UInt8] {
        let size = UInt8(4 + chunk.count)
        return Array("RIFF".utf8) + [size, 0, 0, 0] + Array("WEBP".utf8) + chunk
    }

    static let lossy = riff(
        Array("VP8 ".utf8) + [10, 0, 0, 0, 0x30, 1, 0, 0x9D, 1, 0x2A, 3, 0, 4, 0])
    static let lossless = riff(Array("VP8L".utf8) + [5, 0, 0, 0, 0x2F, 2, 0, 0, 0, 0])
    static let extended = riff(Array("VP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 9, 0, 0])
}

@Suite struct PictureTests {
    @Test(arguments: [
        (Pictures.png, Picture.Format.png), (Pictures.jpeg(width: 3), .jpeg), (Pictures.lossy, .webp),
        (Pictures.lossless, .webp), (Pictures.extended, .webp),
    ])
    func `a whole picture is taken for what it is`(bytes: [UInt8], format: Picture.Format) throws {
        let picture = try Picture(bytes)
        #expect(picture.format == format)
        #expect(picture.bytes == bytes)
        #expect(picture.name.count == 16)
    }

    @Test(arguments: [
        Pictures.png, Pictures.jpeg(width: 3), Pictures.lossy, Pictures.lossless, Pictures.extended,
    ])
    func `a picture cut short, or with something behind it, is refused`(bytes: [UInt8]) {
        for count in 0..<bytes.count {
            #expect(throws: FaultList([Fault("picture_invalid")])) { try Picture(Array(bytes.prefix(count))) }
        }
        #expect(throws: FaultList.self) { try Picture(bytes + Array("<script>".utf8)) }
    }

    @Test func `a picture without pixels, or with far too many, is refused`() {
        #expect(throws: FaultList.self) { try Picture(Pictures.jpeg(width: 0)) }
        var wide = Pictures.png
        wide[18] = 0x10
        wide[19] = 0x01
        #expect(throws: FaultList.self) { try Picture(wide) }
    }

    @Test func `anything else is refused`() {
        for text in ["", "<svg xmlns='http://www.w3.org/2000/svg'/>", "GIF89a", "RIFF", "%PDF-1.7"] {
            #expect(throws: FaultList([Fault("picture_invalid")])) { try Picture(Array(text.utf8)) }
        }
        #expect(throws: FaultList.self) { try Picture([UInt8](repeating: 0xFF, count: Picture.maximumSize + 1)) }
    }

    @Test func `no change of a byte is a trap`() {
        var random = SystemRandomNumberGenerator()
        for bytes in [Pictures.png, Pictures.jpeg(width: 3), Pictures.lossy, Pictures.lossless, Pictures.extended] {
            for _ in 0..<2_000 {
                var changed = bytes
                for _ in 0..<3 {
                    changed[Int.random(in: 0..<changed.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                _ = try? Picture(changed)
            }
        }
    }
}
