import Shared

/// The last changes of access: of each, on what the permits rest that it made void.
struct AccessLog {
    /// How far back it is known what changed; a permit lives for moments.
    static let kept = 4_096

    /// The access version, with every change noted so far.
    private(set) var version: Int
    /// What each of the last changes touched, the newest last; `nil` for one on which no permission rests.
    private var touched: [AccessSubject?] = []

    init(version: Int) { self.version = version }

    /// Raises the version.
    mutating func note(_ subject: AccessSubject?) {
        version += 1
        touched.append(subject)
    }

    /// What each change since that version touched.
    func subjects(since earlier: Int) -> ArraySlice<AccessSubject?> {
        touched.suffix(min(max(version - earlier, 0), touched.count))
    }

    /// Takes back what was noted since that version.
    mutating func rewind(to earlier: Int) {
        touched.removeLast(min(max(version - earlier, 0), touched.count))
        version = earlier
    }

    /// Forgets what is too long ago. Not in the middle of a batch, which may be taken back.
    mutating func forgetOld() {
        if touched.count >= 2 * Self.kept { touched.removeFirst(touched.count - Self.kept) }
    }

    /// Whether a permit of that version is good: nothing that it rests on has changed since, as far as is known.
    func holds(_ permit: Int, restingOn subjects: @autoclosure () -> [AccessSubject]) -> Bool {
        let changes = version - permit
        guard (0...touched.count).contains(changes) else { return false }
        if changes == 0 { return true }
        let subjects = subjects()
        return !touched.suffix(changes).contains { subject in subject.map(subjects.contains) ?? false }
    }
}
