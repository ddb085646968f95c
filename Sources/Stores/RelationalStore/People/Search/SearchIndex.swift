import Database
import People
import Shared

/// Something whose rows of the search index are computed together.
enum SearchSubject: Hashable {
    /// An account: as a person who wants to be found, and as a student of staff.
    case account(AccountID)
    case institution(InstitutionID)
    case program(ProgramID)
    case taughtClass(ClassID)

    /// The kinds of its rows.
    var kinds: [SearchKind] {
        switch self {
        case .account: [.person, .student]
        case .institution: [.institution]
        case .program: [.program]
        case .taughtClass: [.taughtClass]
        }
    }

    var id: String {
        switch self {
        case .account(let id): id.text
        case .institution(let id): id.text
        case .program(let id): id.text
        case .taughtClass(let id): id.text
        }
    }
}

/// A row of the search index, apart from the identifier of its subject.
struct SearchRow: Hashable {
    let audience: SearchAudience
    let kind: SearchKind
    let term: String
    let title: String
    /// All the terms under which the audience finds the subject, as ``SearchWords`` writes them.
    let words: String
}

/// The terms of a subject in one text, so that a search for several terms finds them in one row.
enum SearchWords {
    /// What stands before and behind each term, and in none of them.
    static let mark = "\u{1}"

    /// Returns the rows of a subject in one audience.
    static func rows(
        _ kind: SearchKind, _ terms: [String], title: String, for audience: SearchAudience
    ) -> [SearchRow] {
        let terms = Set(terms)
        let words = mark + terms.sorted().joined(separator: mark) + mark
        return terms.map { SearchRow(audience: audience, kind: kind, term: $0, title: title, words: words) }
    }
}

extension Connection {
    /// Brings the index rows of a subject up to date; only rows that differ are written.
    ///
    /// - Parameter hasPersonNames: whether accounts have first and last names, as they do in the newest schema.
    func index(_ subject: SearchSubject, withPersonNames hasPersonNames: Bool = true) throws {
        let stored = try storedRows(of: subject)
        let wanted = try wantedRows(of: subject, withPersonNames: hasPersonNames)
        for row in stored.subtracting(wanted) {
            try run(
                "DELETE FROM search_terms WHERE audience = ? AND kind = ? AND term = ? AND title = ? AND id = ?",
                Self.values(row, subject))
        }
        for row in wanted.subtracting(stored) {
            try run(
                "INSERT INTO search_terms (audience, kind, term, title, id, words) VALUES (?, ?, ?, ?, ?, ?)",
                Self.values(row, subject) + [.text(row.words)])
        }
    }

    private static func values(_ row: SearchRow, _ subject: SearchSubject) -> [SQLValue] {
        [
            .text(row.audience.text), .text(row.kind.rawValue), .text(row.term), .text(row.title), .text(subject.id),
        ]
    }

    /// Returns the index rows of a subject as they are stored.
    func storedRows(of subject: SearchSubject) throws -> Set<SearchRow> {
        var rows: Set<SearchRow> = []
        for kind in subject.kinds {
            let found = try all(
                "SELECT audience, term, title, words FROM search_terms WHERE kind = ? AND id = ?",
                .text(kind.rawValue), .text(subject.id)
            ) { row in
                SearchRow(
                    audience: SearchAudience(stored: row.text(0)), kind: kind, term: row.text(1), title: row.text(2),
                    words: row.text(3))
            }
            rows.formUnion(found)
        }
        return rows
    }

    /// Returns the index rows that a subject ought to have, from the tables that describe it; none if it does not exist.
    func wantedRows(
        of subject: SearchSubject, withPersonNames hasPersonNames: Bool = true
    ) throws -> Set<SearchRow> {
        switch subject {
        case .account(let id): try rows(of: id, withPersonNames: hasPersonNames)
        case .institution(let id): try rows(of: id)
        case .program(let id): try rows(of: id)
        case .taughtClass(let id): try rows(of: id)
        }
    }

    // MARK: Accounts

    /// A person is found by everyone who is signed in if he or she wishes it. A student is found by the registrars of the
    /// institutions, and by the teachers of the programs, in which he or she is a member or has a record;
    /// they alone find the student by first and last name.
    private func rows(of account: AccountID, withPersonNames hasPersonNames: Bool) throws -> Set<SearchRow> {
        let found = try first(
            """
            SELECT display_name, login, discoverable, \(hasPersonNames ? "given_name, family_name" : "NULL, NULL")
            FROM accounts
            WHERE id = ? AND disabled = 0 AND service_of IS NULL
            """, .text(account.text)
        ) {
            (
                name: $0.text(0), login: $0.text(1), isDiscoverable: $0.boolean(2),
                personName: AccountRow.personName($0, from: 3)
            )
        }
        guard let found else { return [] }
        let title = SearchText.sortKey(of: found.name)
        let names = SearchText.terms(of: found.name)
        var rows: Set<SearchRow> = []
        if found.isDiscoverable {
            rows.formUnion(SearchWords.rows(.person, names, title: title, for: .signedIn))
        }
        let known = names + (found.personName.parts + [found.login]).flatMap { SearchText.terms(of: $0) }
        let numbers = try studentNumberTerms(of: account)
        func add(_ audience: SearchAudience, in institution: InstitutionID) {
            rows.formUnion(
                SearchWords.rows(.student, known + (numbers[institution] ?? []), title: title, for: audience))
        }
        for institution in try institutions(ofStudent: account) { add(.registrars(of: institution), in: institution) }
        for place in try programs(ofStudent: account) { add(.staff(of: place.program), in: place.institution) }
        return rows
    }

    private func studentNumberTerms(of account: AccountID) throws -> [InstitutionID: [String]] {
        let found = try all("SELECT institution, number FROM student_numbers WHERE account = ?", .text(account.text)) {
            (InstitutionID($0.text(0)), SearchText.terms(of: $0.text(1)))
        }
        return Dictionary(found) { first, _ in first }
    }

    private func institutions(ofStudent account: AccountID) throws -> [InstitutionID] {
        try all(
            """
            SELECT institution FROM memberships WHERE account = ?1 AND role = 'student'
            UNION SELECT institution FROM grants WHERE account = ?1 AND role = 'student'
            UNION SELECT institution FROM records WHERE student = ?1
            """, .text(account.text)
        ) { InstitutionID($0.text(0)) }
    }

    private func programs(
        ofStudent account: AccountID
    ) throws -> [(program: ProgramID, institution: InstitutionID)] {
        try all("SELECT DISTINCT program, institution FROM records WHERE student = ?", .text(account.text)) {
            (ProgramID($0.text(0)), InstitutionID($0.text(1)))
        }
    }

    // MARK: Institutions, programs, classes

    private func rows(of institution: InstitutionID) throws -> Set<SearchRow> {
        let found = try first("SELECT title, slug, open FROM institutions WHERE id = ?", .text(institution.text)) {
            (title: $0.text(0), slug: $0.text(1), isOpen: $0.boolean(2))
        }
        guard let found else { return [] }
        let terms = SearchText.terms(of: found.title) + SearchText.terms(of: found.slug)
        return rows(
            .institution, terms, title: found.title,
            in: [.members(of: institution)] + (found.isOpen ? [.everyone] : []))
    }

    private func rows(of program: ProgramID) throws -> Set<SearchRow> {
        let found = try first(
            """
            SELECT programs.title, institution, newest IS NOT NULL, open FROM programs
            JOIN institutions ON institutions.id = institution WHERE programs.id = ?
            """, .text(program.text)
        ) { row in
            (
                title: row.text(0), institution: InstitutionID(row.text(1)), isPublished: row.boolean(2),
                isOpen: row.boolean(3)
            )
        }
        guard let found else { return [] }
        let audiences: [SearchAudience] =
            if !found.isPublished { [.registrars(of: found.institution), .staff(of: program)] } else {
                [.members(of: found.institution)] + (found.isOpen ? [.everyone] : [])
            }
        return rows(.program, SearchText.terms(of: found.title), title: found.title, in: audiences)
    }

    private func rows(of taught: ClassID) throws -> Set<SearchRow> {
        let found = try first("SELECT number, title, institution FROM classes WHERE id = ?", .text(taught.text)) {
            (number: $0.integer(0), title: $0.text(1), institution: InstitutionID($0.text(2)))
        }
        guard let found else { return [] }
        let staff = try all("SELECT account FROM class_staff WHERE class = ?", .integer(found.number)) {
            SearchAudience.account(AccountID($0.text(0)))
        }
        return rows(
            .taughtClass, SearchText.terms(of: found.title), title: found.title,
            in: staff + [.registrars(of: found.institution)])
    }

    private func rows(
        _ kind: SearchKind, _ terms: [String], title: String, in audiences: [SearchAudience]
    ) -> Set<SearchRow> {
        let key = SearchText.sortKey(of: title)
        return Set(audiences.flatMap { SearchWords.rows(kind, terms, title: key, for: $0) })
    }

    // MARK: Everything

    /// Visits everything that the index describes, in slices.
    func forEachSearchSubject(_ visit: (SearchSubject) throws -> Void) throws {
        try forEachID(in: "accounts") { try visit(.account(AccountID($0))) }
        try forEachID(in: "institutions") { try visit(.institution(InstitutionID($0))) }
        try forEachID(in: "programs") { try visit(.program(ProgramID($0))) }
        try forEachID(in: "classes") { try visit(.taughtClass(ClassID($0))) }
    }

    private func forEachID(in table: String, _ visit: (String) throws -> Void) throws {
        var last = ""
        while true {
            let slice = try all("SELECT id FROM \(table) WHERE id > ? ORDER BY id LIMIT 256", .text(last)) {
                $0.text(0)
            }
            for id in slice { try visit(id) }
            guard slice.count == 256, let end = slice.last else { return }
            last = end
        }
    }
}

extension WriteTransaction {
    /// Brings the index up to date with what this change did to an institution. Whether it is open decides who finds its
    /// programs.
    func indexInstitution(_ id: InstitutionID) throws {
        try connection.index(.institution(id))
        let programs = try connection.all("SELECT id FROM programs WHERE institution = ?", .text(id.text)) {
            ProgramID($0.text(0))
        }
        for program in programs { try connection.index(.program(program)) }
    }

    /// Brings the index up to date after a record of a student was made or removed: it may be the first or the last that
    /// makes the teachers of its program find the student.
    func indexStudent(ofRecordIn program: ProgramID, _ student: AccountID?, besides record: RecordID) throws {
        guard let student else { return }
        let hasAnother = try connection.first(
            "SELECT 1 FROM records WHERE student = ? AND program = ? AND id <> ? LIMIT 1", .text(student.text),
            .text(program.text), .text(record.text)
        ) { $0.boolean(0) }
        if hasAnother == nil { try connection.index(.account(student)) }
    }
}
