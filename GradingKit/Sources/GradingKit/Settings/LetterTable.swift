/// Letter tables that are common in the United States, with GPA points.
public enum LetterTable {
    /// A, B, C, D and F, each ten percent wide above F.
    public static let plain = [
        Band("A", from: 90, points: 4), Band("B", from: 80, points: 3), Band("C", from: 70, points: 2),
        Band("D", from: 60, points: 1), Band("F", from: 0, points: 0),
    ]

    /// With a plus for the upper half of a letter, worth half a point more.
    public static let plus = [
        Band("A", from: 90, points: 4), Band("B+", from: 85, points: 3 + .half), Band("B", from: 80, points: 3),
        Band("C+", from: 75, points: 2 + .half), Band("C", from: 70, points: 2),
        Band("D+", from: 65, points: 1 + .half), Band("D", from: 60, points: 1), Band("F", from: 0, points: 0),
    ]

    /// With plus and minus for thirds of a letter, worth 0.3 or 0.7 points in between.
    public static let plusMinus = [
        Band("A", from: 93, points: 4), Band("A-", from: 90, points: tenths(37)),
        Band("B+", from: 87, points: tenths(33)), Band("B", from: 83, points: 3),
        Band("B-", from: 80, points: tenths(27)),
        Band("C+", from: 77, points: tenths(23)), Band("C", from: 73, points: 2),
        Band("C-", from: 70, points: tenths(17)),
        Band("D+", from: 67, points: tenths(13)), Band("D", from: 63, points: 1),
        Band("D-", from: 60, points: tenths(7)),
        Band("F", from: 0, points: 0),
    ]

    private static func tenths(_ number: Int64) -> Exact { Exact(ratio: Int128(number), over: 10) }
}
