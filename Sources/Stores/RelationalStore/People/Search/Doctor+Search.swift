import DataStore
import Database
import People

extension Doctor {
    /// The greatest number of faults of the index that are listed.
    private static let mostListed = 100

    /// Compares the search index with what it describes.
    mutating func compareSearchIndex() throws {
        var faults: [String] = []
        try connection.forEachSearchSubject { subject in
            guard faults.count < Self.mostListed else { return }
            if try connection.storedRows(of: subject) != connection.wantedRows(of: subject) {
                faults.append("\(subject.kinds[0].rawValue) \(subject.id)")
            }
        }
        faults += try connection.all(
            """
            SELECT DISTINCT kind, id FROM search_terms WHERE
            CASE kind WHEN 'person' THEN id NOT IN (SELECT id FROM accounts)
            WHEN 'student' THEN id NOT IN (SELECT id FROM accounts)
            WHEN 'institution' THEN id NOT IN (SELECT id FROM institutions)
            WHEN 'program' THEN id NOT IN (SELECT id FROM programs)
            WHEN 'class' THEN id NOT IN (SELECT id FROM classes) ELSE 1 = 1 END LIMIT ?
            """, .integer(Self.mostListed)
        ) { "\($0.text(0)) \($0.text(1))" }
        searchFaults(faults)
    }
}
