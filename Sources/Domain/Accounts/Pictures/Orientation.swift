/// The orientation of the camera: the only metadata (EXIF) of a picture without which it would be drawn on its side.
struct Orientation: Equatable {
    /// The EXIF value, 2…8; 1, upright, is not stored.
    let value: UInt8

    /// Finds the orientation in EXIF metadata, which begins with a TIFF header at `start`; `nil` if it is upright or
    /// missing.
    init?(in file: PictureBytes, at start: Int) {
        let isLittle = file.has("II".utf8, at: start)
        guard isLittle || file.has("MM".utf8, at: start) else { return nil }
        func number(_ count: Int, _ position: Int) -> Int? {
            isLittle ? file.little(count, at: position) : file.big(count, at: position)
        }
        guard number(2, start + 2) == 42, let directory = number(4, start + 4).map({ start + $0 }),
            let count = number(2, directory)
        else { return nil }
        for entry in (0..<count).lazy.map({ directory + 2 + 12 * $0 }) {
            guard let tag = number(2, entry) else { return nil }
            guard tag == 0x0112, number(2, entry + 2) == 3, number(4, entry + 4) == 1 else { continue }
            guard let value = number(2, entry + 8), (2...8).contains(value) else { return nil }
            self.value = UInt8(value)
            return
        }
        return nil
    }

    /// EXIF metadata with the orientation alone: a TIFF header and a directory with one entry.
    var tiff: [UInt8] {
        Array("MM".utf8) + [0, 42, 0, 0, 0, 8] + [0, 1] + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0] + [0, 0, 0, 0]
    }
}
