public import GradingKit
public import Shared

/// The store of rehearsals. Nothing in it is irreplaceable: every rehearsal can be repeated.
///
/// Findings are stored in small slices, so that a change of a record waits for one slice at most.
public protocol RehearsalStore: LeaseStore {
    /// Stores a rehearsal that begins, with the answer to its request. Stops the program's running one, and removes the
    /// oldest ones beyond ``RehearsalPlans/kept``; ``deleteForgotten(limit:)`` deletes their findings. Returns `false`
    /// if too many are open.
    ///
    /// - Throws: `StoreError.taken(field: "key")` if an answer is already stored under the key.
    func begin(_ rehearsal: Rehearsal, keeping kept: KeptAnswer?) async throws -> Bool
    /// Stores the state of a rehearsal and the findings of more records, in the order of the records. Findings go when
    /// their record is deleted; of a record that is already gone, only the version is stored.
    ///
    /// - Throws: ``LeaseLost``, also if the rehearsal was stopped.
    func advance(_ rehearsal: Rehearsal, finding records: [RehearsedRecord], under lease: WorkLease) async throws
    /// Stops a running rehearsal or removes one that has ended. Returns it as it was left; `nil` if there is none.
    func cancel(_ rehearsal: String) async throws -> Rehearsal?

    /// Deletes at most `limit` findings of one removed rehearsal, so that no write waits for all of them. Returns
    /// `false` if no removed rehearsal has any left.
    func deleteForgotten(limit: Int) async throws -> Bool

    /// Returns a rehearsal; `nil` if there is none.
    func rehearsal(_ id: String) async throws -> Rehearsal?
    /// Returns a program's rehearsals, newest first.
    func rehearsals(of program: ProgramID) async throws -> [Rehearsal]
    /// Returns the newest rehearsal of a program that ended with this digest; `nil` if there is none.
    func rehearsal(of program: ProgramID, digest: String) async throws -> Rehearsal?

    /// Returns the findings of at most `limit` records, starting with `first`, in the order of the records.
    func findings(of rehearsal: String, from first: RecordID?, limit: Int) async throws -> [RehearsalFinding]
    /// Returns the compared versions of up to `limit` records after `cursor`.
    func versions(of rehearsal: String, after cursor: RecordID?, limit: Int) async throws -> [RecordVersion]
    /// Returns up to `limit` records after `cursor` that a running rehearsal has compared.
    func compared(in rehearsal: String, after cursor: RecordID?, limit: Int) async throws -> [ComparedRecord]
}

/// A record that a rehearsal compared.
public struct ComparedRecord: Sendable, Hashable {
    /// The record.
    public let record: RecordID
    /// The version of the full view.
    public let version: Version
    /// The version of the program that judged the record.
    public let programVersion: Version

    /// Creates a compared record.
    public init(record: RecordID, version: Version, programVersion: Version) {
        self.record = record
        self.version = version
        self.programVersion = programVersion
    }
}

/// What a rehearsal found in one record.
public struct RehearsalFinding: Sendable {
    /// The member names of a finding, in the order of the values in `rows`.
    private static let names = ["kind", "entry", "figure", "before", "after", "exactBefore", "exactAfter"]

    /// The record.
    public let record: RecordID
    /// The findings as JSON text, an array of values for each: in a large cohort, member names would be most of the
    /// text.
    public let rows: [UInt8]

    /// The differences, as `{"kind","entry","figure","before","after","path"}`, with `exactBefore` and `exactAfter` for
    /// a figure, and with `closed` where it is of a closed class. The path holds the names of the entry and of those
    /// around it, outermost first.
    public var details: [JSONObject] {
        ((try? JSON.parse(rows))?.array ?? []).map { row in
            // `true` behind the values stands for something of a closed class.
            var values = row.array ?? []
            let isClosed = values.last == .bool(true)
            if isClosed { values.removeLast() }
            var details = zip(Self.names, values).reduce(into: JSONObject()) { $0[$1.0] = $1.1 }
            if isClosed { details["closed"] = .bool(true) }
            // Rehearsals from before paths were stored hold only the entry.
            let place = details["entry"]?.array
            if let entry = place?.first { details["entry"] = entry }
            details["path"] = .array(Array((place ?? []).dropFirst()))
            return details
        }
    }

    /// Creates a finding from `rows` in the form of ``RehearsedRecord/rows``.
    public init(record: RecordID, rows: [UInt8]) {
        self.record = record
        self.rows = rows
    }
}

/// A version of a record's full view.
public struct RecordVersion: Sendable, Hashable {
    /// The record.
    public let record: RecordID
    /// The version of the full view.
    public let version: Version

    /// Creates a version of a record.
    public init(record: RecordID, version: Version) {
        self.record = record
        self.version = version
    }
}
