/// The schema: all migrations, in this order. New ones go at the end.
enum Schema {
    static let migrations: [Migration] = [
        store, accounts, institutions, records, projections, sweeps, identities, versionsInForce,
        deviceNames, offers, notices, authorship, executables, work, oneUseTokens,
        secondFactors, signInAttempts, signInProofs, importRows, sessionProofs, passkeys, accessVersions,
        requiredSecondFactors, signInFailures, apiTokens, grants, sessionOrigins, mails, signInMoments,
        tokenFactors, vouching, mailSenders, invitedAttempts, leases, hourlyLines, serviceAccounts,
        sharing, forgottenRehearsals, presumedVouching, endsOfServiceAccounts, studentNumbers,
        classes, answerKinds, friends, classLedgerNumbers, classSettings, grids, challengeAskers, tokenMakers,
        studentNumberKeys, formerSlugs, corrections, challengeNetworks, oneUseHolders, resetAskers, vouchers, search,
        given, feed, timeZones, classDueDays, doneDueDays, searchWords, losses, classComments, nodes, terms, sections,
        sealedCells, databaseHistory, groups, leavings, enrolmentsOfRecords,
        refusals, seenLines, classNews, keptFacts, unseenBlocks, classesOfInstitutions, bursts,
        personNames, webhooks,
    ]

    /// The mark of Gradecast's files (`PRAGMA application_id`, the letters `Grad`).
    static let applicationID = 0x4772_6164

    /// Notices to the server from programs that write beside it.
    private static let notices = Migration(
        name: "notices", expands: false,
        script: """
            CREATE TABLE notices (
                number INTEGER PRIMARY KEY,
                notice TEXT NOT NULL
            ) STRICT;
            """)

    private static let store = Migration(
        name: "store", expands: false,
        script: """
            CREATE TABLE store (
                epoch TEXT NOT NULL,
                access_version INTEGER NOT NULL,
                probes INTEGER NOT NULL DEFAULT 0
            ) STRICT;

            CREATE TABLE idempotency (
                account TEXT NOT NULL,
                key TEXT NOT NULL,
                digest BLOB NOT NULL,
                status INTEGER NOT NULL,
                body BLOB NOT NULL,
                revision TEXT,
                at INTEGER NOT NULL,
                UNIQUE (account, key)
            ) STRICT;

            CREATE TABLE audit_heads (
                scope TEXT PRIMARY KEY,
                number INTEGER NOT NULL,
                chain BLOB NOT NULL
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE audit (
                seq INTEGER PRIMARY KEY,
                scope TEXT NOT NULL,
                number INTEGER NOT NULL,
                at INTEGER NOT NULL,
                account TEXT,
                source TEXT NOT NULL,
                action TEXT NOT NULL,
                subject TEXT NOT NULL,
                detail TEXT,
                erased INTEGER NOT NULL DEFAULT 0,
                digest BLOB NOT NULL,
                chain BLOB NOT NULL,
                UNIQUE (scope, number)
            ) STRICT;
            """,
        onServer: "CREATE INDEX idempotency_by_time ON idempotency (at);")
}
