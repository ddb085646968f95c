import GradingKit
import Testing

@testable import Accounts

/// The smallest pictures of each format, 1 × 1 pixel unless said otherwise.
enum Pictures {
    static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        + [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0x3A, 0x7E, 0x9B, 0x55]
        + [0, 0, 0, 10, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x60, 0, 0, 0, 2, 0, 1, 0x48, 0xAF, 0xA4, 0x71]
        + [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

    static func jpeg(width: UInt8) -> [UInt8] {
        [0xFF, 0xD8] + jpegBody(width: width)
    }

    static func jpegBody(width: UInt8) -> [UInt8] {
        [0xFF, 0xC0, 0, 11, 8, 0, 2, 0, width, 1, 1, 0x11, 0]
            + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0x3F, 0, 0x12, 0xFF, 0, 0xFF, 0xD3, 7, 0xFF, 0xD9]
    }

    /// EXIF metadata as a camera writes it, the lowest byte first, which says how it was held, and by whom.
    static func exif(_ orientation: UInt8) -> [UInt8] {
        Array("II".utf8) + [42, 0, 8, 0, 0, 0] + [2, 0]
            + [0x0F, 0x01, 2, 0, 4, 0, 0, 0] + Array("Ada\0".utf8)
            + [0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0] + [0, 0, 0, 0]
    }

    /// The same without the name, the highest byte first.
    static func onlyOrientation(_ orientation: UInt8) -> [UInt8] {
        Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
    }

    static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
        [0xFF, marker, 0, UInt8(data.count + 2)] + data
    }

    static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        [0, 0, 0, UInt8(data.count)] + Array(type.utf8) + data + [0, 0, 0, 0]
    }

    static func riffChunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        Array(type.utf8) + [UInt8(data.count), 0, 0, 0] + data + (data.count % 2 == 0 ? [] : [0])
    }

    static func riff(_ chunk: [UInt8]) -> [UInt8] {
        let size = UInt8(4 + chunk.count)
        return Array("RIFF".utf8) + [size, 0, 0, 0] + Array("WEBP".utf8) + chunk
    }

    static let lossy = riff(
        Array("VP8 ".utf8) + [10, 0, 0, 0, 0x30, 1, 0, 0x9D, 1, 0x2A, 3, 0, 4, 0])
    static let lossless = riff(Array("VP8L".utf8) + [5, 0, 0, 0, 0x2F, 2, 0, 0, 0, 0])
    static let extended = riff(canvas(flags: 0) + image)
    static let image = riffChunk("VP8L", [0x2F, 2, 0, 0, 0])

    static func canvas(flags: UInt8) -> [UInt8] { riffChunk("VP8X", [flags, 0, 0, 0, 9, 0, 0, 9, 0, 0]) }
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
    func `a picture cut short is refused, and what stands behind its end is left out`(bytes: [UInt8]) throws {
        for count in 0..<bytes.count {
            #expect(throws: FaultList([Fault("picture_invalid")])) { try Picture(Array(bytes.prefix(count))) }
        }
        #expect(try Picture(bytes + Array("<script>".utf8)).bytes == bytes)
    }

    @Test func `a photograph loses its metadata and stays upright`() throws {
        let jfif = Pictures.segment(0xE0, Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 1, 1, 9, 9, 9])
        let plain = Pictures.segment(0xE0, Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 0, 0])
        let exif = Pictures.segment(0xE1, Array("Exif\0\0".utf8) + Pictures.exif(6))
        let others =
            Pictures.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8))
            + Pictures.segment(0xE2, Array("ICC_PROFILE\0".utf8)) + Pictures.segment(0xED, Array("Photoshop".utf8))
            + Pictures.segment(0xFE, Array("a comment".utf8))
        let body = Pictures.jpegBody(width: 3)
        let held = Pictures.segment(0xE1, Array("Exif\0\0".utf8) + Pictures.onlyOrientation(6))
        #expect(try Picture([0xFF, 0xD8] + jfif + exif + others + body).bytes == [0xFF, 0xD8] + plain + held + body)
        let upright = Pictures.segment(0xE1, Array("Exif\0\0".utf8) + Pictures.exif(1))
        #expect(try Picture([0xFF, 0xD8] + upright + body).bytes == [0xFF, 0xD8] + body)
        // A second picture behind the first, as phones write it, has metadata of its own.
        #expect(try Picture([0xFF, 0xD8] + body + [0xFF, 0xD8] + exif + body).bytes == [0xFF, 0xD8] + body)
    }

    @Test func `a drawing loses its texts and keeps what colours it`() throws {
        let (header, rest) = (Array(Pictures.png.prefix(33)), Array(Pictures.png.dropFirst(33)))
        let gamma = Pictures.chunk("gAMA", [0, 0, 0xB1, 0x8F])
        let texts =
            Pictures.chunk("tEXt", Array("Author\0Ada".utf8)) + Pictures.chunk("tIME", [7, 0xE9, 1, 1, 1, 1, 1])
        let exif = Pictures.chunk("eXIf", Pictures.exif(8))
        let found = try Picture(header + texts + gamma + exif + rest + Pictures.chunk("tEXt", []))
        let kept = Array("eXIf".utf8) + Pictures.onlyOrientation(8)
        #expect(Array(found.bytes[33..<41]) == [0, 0, 0, 26] + Array("eXIf".utf8))
        #expect(Array(found.bytes[37..<67]) == kept)
        #expect(Array(found.bytes.dropFirst(71)) == gamma + rest)
        #expect(try Picture(found.bytes) == found)
        #expect(throws: FaultList.self) { try Picture(header + Pictures.chunk("gAMA", Array(1...99)) + rest) }
        #expect(throws: FaultList.self) { try Picture(header + Pictures.chunk("XTRA", []) + rest) }
    }

    @Test func `a WebP picture loses its metadata, within the frames of an animation too`() throws {
        let metadata =
            Pictures.riffChunk("ICCP", [1, 2, 3]) + Pictures.riffChunk("XMP ", Array("<x/>".utf8))
            + Pictures.riffChunk("EXIF", Pictures.exif(3))
        let found = try Picture(Pictures.riff(Pictures.canvas(flags: 0x2C | 0x10) + Pictures.image + metadata))
        let held = Pictures.riffChunk("EXIF", Pictures.onlyOrientation(3))
        #expect(found.bytes == Pictures.riff(Pictures.canvas(flags: 0x18) + Pictures.image + held))
        #expect(try Picture(found.bytes) == found)

        let place = [UInt8](repeating: 0, count: 16)
        func animation(_ more: [UInt8]) -> [UInt8] {
            Pictures.riff(
                Pictures.canvas(flags: 0x02) + Pictures.riffChunk("ANIM", [0, 0, 0, 0, 0, 0])
                    + Pictures.riffChunk("ANMF", place + Pictures.image + more))
        }
        #expect(try Picture(animation(Pictures.riffChunk("meta", [1, 2, 3]))).bytes == animation([]))
        #expect(throws: FaultList.self) { try Picture(Pictures.riff(Pictures.canvas(flags: 0))) }
    }

    @Test func `a directory of metadata that leads astray is none`() {
        for bytes in [
            Array("II".utf8) + [42, 0, 0xFF, 0xFF, 0xFF, 0xFF], Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0xFF, 0xFF],
            Array("II".utf8) + [42, 0, 8, 0, 0, 0], Pictures.exif(9), Pictures.exif(0), [],
        ] {
            #expect(Orientation(in: PictureBytes(bytes), at: 0) == nil)
        }
        #expect(Orientation(in: PictureBytes(Pictures.exif(6)), at: 0)?.value == 6)
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
        let photograph =
            [0xFF, 0xD8] + Pictures.segment(0xE1, Array("Exif\0\0".utf8) + Pictures.exif(6))
            + Pictures.jpegBody(width: 3)
        for bytes in [
            Pictures.png, Pictures.jpeg(width: 3), photograph, Pictures.lossy, Pictures.lossless, Pictures.extended,
        ] {
            for _ in 0..<2_000 {
                var changed = bytes
                for _ in 0..<3 {
                    changed[Int.random(in: 0..<changed.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                guard let picture = try? Picture(changed) else { continue }
                #expect((try? Picture(picture.bytes)) == picture)
            }
        }
    }
}
