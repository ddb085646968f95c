/// A statement of one connection: its text, and its prepared forms on the server.
final class Statement {
    /// One prepared form. The server plans a text for the types of its parameters, so each list of types has its own.
    final class Form {
        /// The progress of preparing it.
        enum Progress {
            case unsent
            case sent
            case ready
        }

        let types: [UInt32]
        fileprivate(set) var name: String
        var progress = Progress.unsent

        fileprivate init(types: [UInt32], name: String) {
            self.types = types
            self.name = name
        }
    }

    /// How many forms are kept; further ones are sent unprepared. A text usually has one form.
    private static let formLimit = 8

    /// The text as the caller wrote it.
    let sql: String
    /// The text as the server gets it.
    let text: StatementText
    /// Whether forms of the text are prepared.
    let isPrepared: Bool
    private var forms: [Form] = []

    init(_ sql: String, isPrepared: Bool) throws(PostgreSQLError) {
        self.sql = sql
        self.isPrepared = isPrepared
        text = try StatementText(sql)
    }

    /// Returns the form for these types; `nil` if the statement is sent unprepared.
    func form(for types: [UInt32], named name: () -> String) -> Form? {
        if let known = forms.first(where: { $0.types == types }) { return known }
        guard isPrepared, forms.count < Self.formLimit else { return nil }
        let form = Form(types: types, name: name())
        forms.append(form)
        return form
    }

    /// Drops the forms, because the server has lost them or their rows have other columns now.
    func forgetForms() { forms.removeAll() }
}
