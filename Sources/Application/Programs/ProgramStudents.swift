import Institutions
import Records
public import Shared

/// What a program's staff read of its records: the students' names, and the hidden results. Each reading is audited
/// before anything is shown.
public struct ProgramStudents: Sendable {
    private let browser: any RecordBrowser
    private let records: RecordService

    init(browser: any RecordBrowser, records: RecordService) {
        self.browser = browser
        self.records = records
    }

    /// Returns those of the given records that belong to the program, with their students, for the program's staff.
    ///
    /// - Parameter asked: the records, which are read once the caller is known to be allowed.
    public func owners(
        of asked: @autoclosure () throws -> [RecordID], in program: ProgramID, for context: AccountContext
    ) async throws -> (records: [RecordID], owners: RecordOwners) {
        let permit = try await records.access.permit(to: May.Oversee.self, in: program, for: context.principal)
        return try await owners(of: try asked(), under: permit, for: context)
    }

    /// Returns those of the given records that belong to the program, with their students.
    ///
    /// A cohort's document contains only record identifiers, so that no name outlives its account there; staff get the
    /// names here.
    func owners(
        of asked: [RecordID], under permit: ProgramPermit<May.Oversee>, for context: AccountContext
    ) async throws -> (records: [RecordID], owners: RecordOwners) {
        let program = permit.program
        let found = try await browser.standings(of: asked, in: program.id).map(\.record)
        let owners = try await RecordOwners(of: found, browser: browser, service: records)
        try await records.readings.note(context, lists: found.map { ($0, owners[$0]?.student) }, of: program)
        return (found, owners)
    }

    /// Returns the hidden results in the program's records, without the caller's own, for the program's staff.
    public func hiddenResults(in program: ProgramID, for context: AccountContext) async throws -> HiddenResults {
        try await hiddenResults(
            under: records.access.permit(to: May.Oversee.self, in: program, for: context.principal), for: context)
    }

    /// Returns the hidden results in the program's records, without the caller's own.
    func hiddenResults(
        under permit: ProgramPermit<May.Oversee>, for context: AccountContext
    ) async throws -> HiddenResults {
        let program = permit.program
        let own = try await records.makers(behind: context.principal).union([context.account])
        let found = try await HiddenResults.of(program, records, browser, besides: own)
        let named = found.places.flatMap(\.students).map { (id: $0.record, student: $0.account) }
        try await records.readings.note(context, lists: named, of: program)
        return found
    }
}
