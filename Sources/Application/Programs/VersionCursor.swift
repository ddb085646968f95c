import Records
import Shared

/// An iterator over pairs of record and version, which it reads in slices.
struct VersionCursor {
    private let read: (RecordID?) async throws -> [RecordVersion]
    private var slice: ArraySlice<RecordVersion> = []
    private var last: RecordID?
    private var isAtEnd = false

    init(_ read: @escaping (RecordID?) async throws -> [RecordVersion]) { self.read = read }

    mutating func next() async throws -> RecordVersion? {
        if slice.isEmpty, !isAtEnd {
            slice = try await read(last)[...]
            isAtEnd = slice.isEmpty
        }
        guard let item = slice.popFirst() else { return nil }
        last = item.record
        return item
    }
}
