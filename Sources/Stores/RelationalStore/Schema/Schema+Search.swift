extension Schema {
    /// The index of what can be found: under which terms, and by whom. A page of results is a range of the primary key,
    /// whose order is that of the results; the other index finds the terms of one thing.
    static let search = Migration(name: "search", expands: false, script: searchTerms(more: ""))

    /// Each row of the index holds all the terms of its thing, so that a search for several terms reads one range.
    static let searchWords = Migration(
        name: "search words", expands: false,
        script: "DROP TABLE search_terms;\n" + searchTerms(more: "words TEXT NOT NULL,")
    ) { connection in
        // The columns of first and last names come with a later step.
        try connection.forEachSearchSubject { try connection.index($0, withPersonNames: false) }
    }

    private static func searchTerms(more column: String) -> String {
        """
        CREATE TABLE search_terms (
            audience TEXT NOT NULL,
            kind TEXT NOT NULL,
            term TEXT NOT NULL,
            title TEXT NOT NULL,
            id TEXT NOT NULL,
            \(column)
            PRIMARY KEY (audience, kind, term, title, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX search_terms_of_subject ON search_terms (kind, id, term);
        """
    }
}
