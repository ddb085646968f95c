/// The identifiers of a record's entries, with their texts concatenated in one buffer.
///
/// Records are copied far more often than their identifiers are read, and a `String` for each would need one allocation
/// per entry.
struct EntryIDs: Sendable {
    private var text: [UInt8] = []
    /// The end of each identifier in the buffer.
    private var ends: [Int] = []

    /// Reserves space for `count` identifiers of the usual length.
    mutating func reserve(_ count: Int) {
        text.reserveCapacity(count * 36)
        ends.reserveCapacity(count)
    }

    /// The text of the identifier at an index.
    subscript(utf8 place: Int) -> ArraySlice<UInt8> { text[start(of: place)..<ends[place]] }

    /// Returns the index of an identifier.
    func place(of id: EntryID) -> Int? {
        // Beyond ASCII, texts can be equal without having the same bytes.
        place(ofText: id, from: 0) ?? (id.text.utf8.allSatisfy { $0 < 0x80 } ? nil : firstIndex(of: id))
    }

    /// Returns the indices of identifiers. If they come in tree order, each search starts at the previous result.
    func places(of ids: [EntryID]) -> [Int?] {
        var last = 0
        return ids.map { id in
            let place = place(ofText: id, from: last) ?? place(of: id)
            last = place ?? last
            return place
        }
    }

    private func place(ofText id: EntryID, from first: Int) -> Int? {
        var sought = id.text
        return sought.withUTF8 { sought in
            text.withUnsafeBytes { place(of: UnsafeRawBufferPointer(sought), in: $0, from: first) }
        }
    }

    private func place(of sought: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer, from first: Int) -> Int? {
        var start = start(of: first)
        for place in first..<ends.count {
            let end = ends[place]
            if end - start == sought.count, text.holds(sought, at: start) { return place }
            start = end
        }
        return nil
    }

    /// Returns the identifier at an index; `known` itself if it has the same bytes, which saves creating it.
    func identifier(at place: Int, like known: EntryID) -> EntryID {
        hasText(of: known, at: place) ? known : self[place]
    }

    /// Returns whether the identifier at an index is this one.
    func holds(_ id: EntryID, at place: Int) -> Bool {
        // Beyond ASCII, texts can be equal without having the same bytes.
        hasText(of: id, at: place) || !id.text.utf8.allSatisfy { $0 < 0x80 } && self[place] == id
    }

    private func hasText(of id: EntryID, at place: Int) -> Bool {
        let start = start(of: place)
        guard ends[place] - start == id.text.utf8.count else { return false }
        var sought = id.text
        return sought.withUTF8 { sought in
            text.withUnsafeBytes { $0.holds(UnsafeRawBufferPointer(sought), at: start) }
        }
    }

    /// Appends an identifier by its text.
    mutating func append(utf8: some Sequence<UInt8>) {
        text.append(contentsOf: utf8)
        ends.append(text.count)
    }

    /// Appends an identifier.
    mutating func append(_ id: EntryID) { append(utf8: id.text.utf8) }

    /// Inserts others before the identifier at an index.
    mutating func insert(contentsOf others: EntryIDs, at place: Int) {
        let start = start(of: place)
        text.insert(contentsOf: others.text, at: start)
        for later in ends.indices[place...] { ends[later] += others.text.count }
        ends.insert(contentsOf: others.ends.map { $0 + start }, at: place)
    }

    /// Removes a range of identifiers.
    mutating func removeSubrange(_ places: Range<Int>) {
        guard let last = places.last else { return }
        let range = start(of: places.lowerBound)..<ends[last]
        text.removeSubrange(range)
        ends.removeSubrange(places)
        for later in ends.indices[places.lowerBound...] { ends[later] -= range.count }
    }

    private func start(of place: Int) -> Int { place == 0 ? 0 : ends[place - 1] }
}

extension EntryIDs: RandomAccessCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { ends.count }

    subscript(place: Int) -> EntryID { EntryID(String(decoding: self[utf8: place], as: UTF8.self)) }
}
