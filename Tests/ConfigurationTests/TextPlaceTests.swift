import Configuration
import Testing

@Suite struct TextPlaceTests {
    @Test(arguments: [
        (0, "line 1, column 1"), (3, "line 1, column 4"), (4, "line 2, column 1"), (9, "line 2, column 4"),
        (99, "line 3, column 1"), (-1, "line 1, column 1"),
    ])
    func `a byte stands in a line at a character`(offset: Int, place: String) {
        #expect(TextPlace(of: offset, in: Array("abc\ndé\u{20AC}\n".utf8)).description == place)
    }
}
