import Accounts
import Classes
import Gradebook
import GradingKit
import Institutions
import People
import Records
import Shared

/// The composer of one page of a reader's feed. It remembers what it has looked up, so that a page asks about each
/// record, program and person once.
actor FeedComposer {
    private let reader: Account
    private let requester: Requester
    private let store: any PeopleStore
    private let records: RecordService
    private let sharings: RecordSharings
    private let profiles: Profiles
    private let classes: any GradebookStore
    private let memberships: [Membership]
    /// The classes that the reader attends.
    private let attended: [ClassID: Classes.Enrolment]
    private let news: ResultNews
    /// The shared records of those whom the reader follows.
    private let shared: [RecordID: SharedRecord]
    /// The snapshot of each own record; `nil` for one that the reader may not read.
    private var own: [RecordID: RecordSnapshot?] = [:]
    private var readable: [RecordID: Bool] = [:]
    private var people: [AccountID: Account?] = [:]
    private var relations: [AccountID: Relation] = [:]
    private var announcements: [String: Announcement?] = [:]
    private var comments: [CommentID: ShownComment?] = [:]
    private var reopened: [ClassID: Reopened?] = [:]
    private var corrections: [CorrectionID: (correction: Correction, taught: ClassHead)?] = [:]

    init(
        reader: Account, memberships: [Membership], attended: [Classes.Enrolment], shared: [SharedRecord],
        store: any PeopleStore, records: RecordService, classes: any GradebookStore, bookCache: ClassBookCache,
        sharings: RecordSharings, profiles: Profiles
    ) {
        self.reader = reader
        self.memberships = memberships
        self.attended = Dictionary(attended.map { ($0.classID, $0) }) { first, _ in first }
        news = ResultNews(classes, bookCache: bookCache)
        self.store = store
        self.records = records
        self.classes = classes
        self.sharings = sharings
        self.profiles = profiles
        requester = Requester(author: reader, memberships: memberships, accessVersion: 0)
        self.shared = Dictionary(shared.map { ($0.record, $0) }) { first, _ in first }
    }

    /// Takes events as the reader reads them: those of a class as events of the reader's record. What classes did is read
    /// for all of them at once.
    func take(_ events: [FeedEvent]) async throws -> [FeedEvent] {
        let events = events.map { event in
            guard case .taughtClass(let id) = event.stream, let enrolment = attended[id] else { return event }
            return event.about(enrolment.record)
        }
        try await news.read(events)
        return events
    }

    /// Returns the types under which an event concerns the reader.
    nonisolated func types(of event: FeedEvent) -> FeedTypes {
        switch event.stream {
        case .institution, .taughtClass, .registrars: event.types
        case .account(let id):
            id == reader.id
                ? event.types.subtracting(FeedType.friendHeadline.alone)
                : event.types.intersection(FeedType.friendHeadline.alone)
        }
    }

    /// Returns whether the reader may see an event now.
    func isVisible(_ event: FeedEvent) async throws -> Bool {
        if case .account(let id) = event.stream, id != reader.id { return try await isShown(event, by: id) }
        if !event.types.isDisjoint(with: .own) {
            guard try await ownRecord(event) != nil else { return false }
            if event.act == nil { return true }
            guard try await isFromEnrolment(event) else { return false }
            return await news.isVisible(event)
        }
        switch event.types.list.first {
        case .personFollowed: return try await follower(event) != nil
        case .membershipGranted: return membership(event) != nil
        case .programPublished: return try await program(event) != nil
        case .announcementMade: return try await announcement(event) != nil
        case .commentReceived: return try await comment(event) != nil
        case .classReopened: return try await reopened(event) != nil
        case .correctionRequested, .correctionDecided: return try await correction(event) != nil
        default: return false
        }
    }

    /// Returns a group as a line; `nil` if nothing of it is left to tell.
    func line(_ group: FeedGroup) async throws -> FeedLine? {
        var line = FeedLine(group)
        let latest = group.latest
        if let program = latest.program { line.program = try await place(program) }
        if let id = latest.institution { line.institution = try await institution(id).map { FeedLine.Place($0) } }
        if group.types.contains(FeedType.friendHeadline.alone) {
            try await fill(&line, withPeopleOf: group)
        } else if !group.types.isDisjoint(with: .own) {
            try await fill(&line, withChangesOf: group)
        } else if group.types.contains(FeedType.personFollowed.alone) {
            line.person = try await follower(latest)
            if let actor = latest.actor { line.state = try await relation(to: actor).follower }
        } else if group.types.contains(FeedType.membershipGranted.alone) {
            line.role = membership(latest)?.role
        } else if group.types.contains(FeedType.commentReceived.alone) {
            try await fill(&line, withCommentOf: latest)
        } else if group.types.contains(FeedType.classReopened.alone) {
            try await fill(&line, withClassOf: latest)
        } else if let found = try await correction(latest) {
            line.correction = FeedLine.Correction(
                id: found.correction.id, state: found.correction.decision, reason: found.correction.reason)
            line.taught = FeedLine.Place(id: found.taught.id.text, title: found.taught.title)
            line.author = try await author(latest.actor)
        } else if group.types.contains(FeedType.announcementMade.alone) {
            line.announcement = try await announcement(latest)
        }
        return line.types.isEmpty ? nil : line
    }

    // MARK: Own records

    private func ownRecord(_ event: FeedEvent) async throws -> RecordSnapshot? {
        guard let id = event.object.map({ RecordID($0) }) else { return nil }
        if let known = own[id] { return known }
        var found = try await records.store.snapshot(of: id)
        if let snapshot = found {
            let isOwn = snapshot.head.student == reader.id
            let isReadable = try await !records.readable([snapshot], by: reader.id).isEmpty
            if !isOwn || !isReadable { found = nil }
        }
        own.updateValue(found, forKey: id)
        return found
    }

    /// Returns whether an event of a class happened when the reader was in it already.
    private func isFromEnrolment(_ event: FeedEvent) async throws -> Bool {
        guard case .taughtClass(let id) = event.stream else { return true }
        guard let enrolment = attended[id], let place = event.institution,
            let zone = try await institution(place)?.timeZone
        else { return false }
        return event.at.day(in: zone) >= enrolment.since
    }

    private func fill(_ line: inout FeedLine, withChangesOf group: FeedGroup) async throws {
        guard let snapshot = try await ownRecord(group.latest) else {
            line.types = []
            return
        }
        line.record = FeedLine.Record(id: snapshot.head.id, scheme: try await scheme(snapshot.head.program))
        let ofRecord = group.events.filter { $0.change != nil }
        let former = ofRecord.last?.former
        let changes = try await store.feedChanges([ofRecord.first?.change, former].compactMap(\.self))
        let after = ofRecord.first?.change.flatMap { changes[$0] }
        if line.types.contains(.figureChanged) {
            line.figures = Self.differences(from: former.flatMap { changes[$0]?.figures }, to: after?.figures)
        }
        try await fill(&line, withResultsOf: group.events, in: snapshot.head)
        if line.types.contains(.outcomeReached) {
            let met = FeedSlice.met(in: snapshot.content(.released).standing)
            line.outcomes = met.sorted()
            if met.isEmpty { line.types.removeAll { $0 == .outcomeReached } }
        }
        if group.latest.act != nil {
            line.author = try await self.author(await news.author(of: group.latest))
        } else if let author = after?.author, author != reader.id, let name = after?.displayName {
            line.author = FeedLine.Author(id: author, displayName: name)
        }
    }

    private func fill(
        _ line: inout FeedLine, withResultsOf events: [FeedEvent], in head: RecordHead
    ) async throws {
        let acts = events.filter { $0.act != nil }
        let others = events.filter { $0.act == nil }.reduce(into: FeedTypes()) { $0.formUnion($1.types) }
        guard !acts.isEmpty, let program = try await records.institutions.programs.find(head.program),
            let rules = try? await records.rulesCache.rules(of: program, version: head.programVersion)
        else { return }
        let results = await news.results(of: acts, under: rules)
        line.results = Array(results.prefix(ResultNews.most))
        line.moreResults = results.count - line.results.count
        if results.isEmpty {
            // What was entered was taken back.
            line.types.removeAll { type in !others.contains(type.alone) && FeedTypes.results.contains(type.alone) }
        } else if let place = line.types.firstIndex(of: .gradeEntered) {
            // Results say more than the figures that they moved.
            line.types.remove(at: place)
            line.types.insert(.gradeEntered, at: line.types.firstIndex(of: .figureChanged) ?? place)
        }
        if let first = results.first, results.allSatisfy({ $0.entry == first.entry }) {
            line.result = FeedLine.Result(title: first.taught, entry: first.entry)
        }
    }

    /// Returns another person who acted; `nil` for the reader.
    private func author(_ id: AccountID?) async throws -> FeedLine.Author? {
        guard let id, id != reader.id, let name = try await records.names(of: [id])[id] else { return nil }
        return FeedLine.Author(id: id, displayName: name)
    }

    /// Returns the figures whose texts differ, in the scheme's order.
    private static func differences(from before: [UInt8]?, to after: [UInt8]?) -> [FeedLine.Figure] {
        let former = before.flatMap { (try? JSON.parse($0))?.object }
        guard let current = after.flatMap({ (try? JSON.parse($0))?.object }) else { return [] }
        return current.compactMap { figure in
            guard let text = figure.value.string, former?[figure.name]?.string != text else { return nil }
            return FeedLine.Figure(name: figure.name, from: former?[figure.name]?.string, to: text)
        }
    }

    /// What a comment stands on, while the reader sees it there.
    private func comment(_ event: FeedEvent) async throws -> ShownComment? {
        guard let id = event.object.map({ CommentID($0) }) else { return nil }
        if let known = comments[id] { return known }
        var found = try await classes.shownComment(id, to: reader.id)
        if let record = found?.enrolment.record {
            let snapshot = try await records.store.snapshot(of: record)
            let isReadable = try await !records.readable([snapshot].compactMap(\.self), by: reader.id).isEmpty
            if !isReadable { found = nil }
        }
        comments.updateValue(found, forKey: id)
        return found
    }

    private func fill(_ line: inout FeedLine, withCommentOf event: FeedEvent) async throws {
        guard let shown = try await comment(event) else {
            line.types = []
            return
        }
        line.record = FeedLine.Record(id: shown.enrolment.record, scheme: try await scheme(event.program))
        line.result = FeedLine.Result(title: shown.title, entry: shown.enrolment.entry)
        line.author = try await author(shown.comment.account)
    }

    // MARK: Classes

    /// A class that was opened again, as the reader knows it.
    private enum Reopened {
        /// The reader is a student in it.
        case attended(Classes.Enrolment, title: String)
        /// The reader is of its staff.
        case taught(FeedLine.Place)
    }

    private func reopened(_ event: FeedEvent) async throws -> Reopened? {
        guard let id = event.object.map({ ClassID($0) }) else { return nil }
        if let known = reopened[id] { return known }
        let found = try await asKnown(id)
        reopened.updateValue(found, forKey: id)
        return found
    }

    private func asKnown(_ id: ClassID) async throws -> Reopened? {
        guard let snapshot = try await classes.taughtClass(id) else { return nil }
        let (head, title) = (snapshot.head, snapshot.head.title)
        if snapshot.role(of: reader.id) != nil, membership(in: head.institution)?.role.isStaff == true {
            return .taught(FeedLine.Place(id: id.text, title: title))
        }
        let enrolments = try await classes.enrolments(of: reader.id)
        guard let own = enrolments.first(where: { $0.classID == id && !$0.isWithdrawn }),
            let record = try await records.store.snapshot(of: own.record),
            try await !records.readable([record], by: reader.id).isEmpty
        else { return nil }
        return .attended(own, title: title)
    }

    private func fill(_ line: inout FeedLine, withClassOf event: FeedEvent) async throws {
        switch try await reopened(event) {
        case .attended(let own, let title):
            line.record = FeedLine.Record(id: own.record, scheme: try await scheme(event.program))
            line.result = FeedLine.Result(title: title, entry: own.entry)
        case .taught(let place): line.taught = place
        case nil: line.types = []
        }
    }

    /// A correction that waits for the reader's decision or did, or one that the reader asked for, with its class.
    private func correction(_ event: FeedEvent) async throws -> (correction: Correction, taught: ClassHead)? {
        guard !event.types.isDisjoint(with: .corrections), event.actor != reader.id,
            let id = event.object.map({ CorrectionID($0) })
        else { return nil }
        if let known = corrections[id] { return known }
        var found: (correction: Correction, taught: ClassHead)?
        if let correction = try await classes.correction(id),
            let snapshot = try await classes.taughtClass(correction.classID)
        {
            let role = membership(in: snapshot.head.institution)?.role
            let isOwn = correction.account == reader.id && snapshot.role(of: reader.id) != nil && role?.isStaff == true
            if isOwn || role == .registrar { found = (correction, snapshot.head) }
        }
        corrections.updateValue(found, forKey: id)
        return found
    }

    // MARK: Other people

    /// Returns whether the reader may see what another person shares of the record that changed, and shared of it then.
    private func isShown(_ event: FeedEvent, by owner: AccountID) async throws -> Bool {
        guard let id = event.object.map({ RecordID($0) }), let shared = shared[id], shared.owner == owner,
            shared.since <= event.at
        else { return false }
        if let known = readable[id] { return known }
        let isReadable = try await sharings.mayRead(id, by: requester)
        readable[id] = isReadable
        return isReadable
    }

    private func fill(_ line: inout FeedLine, withPeopleOf group: FeedGroup) async throws {
        guard case .account(let owner) = group.latest.stream, let person = try await person(owner),
            let object = group.latest.object
        else {
            line.types = []
            return
        }
        line.person = person
        line.others = Set(group.events.map(\.stream)).count - 1
        line.record = FeedLine.Record(id: RecordID(object), scheme: try await scheme(group.latest.program))
    }

    private func follower(_ event: FeedEvent) async throws -> Account? {
        guard let actor = event.actor else { return nil }
        let relation = try await relation(to: actor)
        guard relation.follower != .none, !relation.isSevered else { return nil }
        return try await person(actor)
    }

    private func relation(to other: AccountID) async throws -> Relation {
        if let known = relations[other] { return known }
        let relation = try await store.relation(of: reader.id, to: other)
        relations[other] = relation
        return relation
    }

    private func person(_ id: AccountID) async throws -> Account? {
        if let known = people[id] { return known }
        let found = try await profiles.account(id).flatMap { $0.isDisabled || $0.service != nil ? nil : $0 }
        people.updateValue(found, forKey: id)
        return found
    }

    // MARK: Institutions

    private func membership(_ event: FeedEvent) -> Membership? { event.institution.flatMap { membership(in: $0) } }

    private func membership(in institution: InstitutionID) -> Membership? {
        memberships.first { $0.institution == institution }
    }

    private func institution(_ id: InstitutionID) async throws -> Institution? {
        try await records.institutions.tenants.find(id.text)
    }

    private func place(_ id: ProgramID) async throws -> FeedLine.Place? {
        try await records.institutions.programs.find(id).map { FeedLine.Place($0) }
    }

    private func scheme(_ id: ProgramID?) async throws -> String? {
        guard let id else { return nil }
        return try await records.institutions.programs.find(id)?.scheme
    }

    private func program(_ event: FeedEvent) async throws -> Program? {
        guard let id = event.program, let program = try await records.institutions.programs.find(id),
            let institution = try await institution(program.institution)
        else { return nil }
        let decision = authorize(requester, .read, on: .program(program, in: institution))
        if case .allowed = decision { return program }
        return nil
    }

    private func announcement(_ event: FeedEvent) async throws -> Announcement? {
        guard let id = event.object else { return nil }
        if let known = announcements[id] { return known }
        var found = try await store.announcement(id)
        if let announcement = found {
            let institution = try await institution(announcement.institution)
            let decision = institution.map { authorize(requester, .read, on: .institution($0)) }
            if case .allowed? = decision {} else { found = nil }
        }
        announcements.updateValue(found, forKey: id)
        return found
    }
}
