public import Forms
public import GradingKit
public import Shared

/// How fast notices are mailed.
public enum NoticePace: String, Sendable, CaseIterable {
    /// Soon after the event.
    case now
    /// Once a day, at seven o'clock in the institution's time zone.
    case daily
}

/// Which events an account is notified of, and where. By default, all in the page and none by mail.
public struct NoticeChoices: Sendable, Equatable {
    /// The types that the page leaves out.
    public var muted: FeedTypes
    /// The types that are mailed soon after the event.
    public var now: FeedTypes
    /// The types that are mailed once a day.
    public var daily: FeedTypes
    /// Whether mails show figures.
    public var showsFigures: Bool

    /// Creates choices.
    public init(
        muted: FeedTypes = [], now: FeedTypes = [], daily: FeedTypes = [], showsFigures: Bool = false
    ) {
        self.muted = muted
        self.now = now
        self.daily = daily
        self.showsFigures = showsFigures
    }

    /// Returns the types that are mailed at a pace.
    public func mailed(_ pace: NoticePace) -> FeedTypes { pace == .now ? now : daily }

    /// The types that the page shows.
    public var shown: FeedTypes { .all.subtracting(muted) }

    private enum Mailing: String, CaseIterable {
        case off = "none"
        case now, daily
    }

    /// The form of a request for other choices; a type that it leaves out keeps the default.
    public static let form = RequestForm(
        "NoticeChoices",
        example: ["types": ["result.released": ["page": true, "mail": "now"]], "figures": false]
    ) { NoticeChoices(&$0) }

    private static let channels = JSONSchema.map(
        to: .object(["page?": .flag, "mail?": .choice(of: Mailing.self)]))

    private init(_ form: inout Form) {
        self.init()
        let types = form.object("types", required: true, as: Self.channels)
        showsFigures = form.flag("figures") ?? false
        guard let types else { return }
        var inner = Form(.object(types), at: form.path + JSONPointer.step("types"))
        for type in FeedType.allCases { read(type, from: &inner) }
        form.close(inner)
    }

    private mutating func read(_ type: FeedType, from form: inout Form) {
        guard let object = form.object(type.rawValue) else { return }
        var inner = Form(.object(object), at: form.path + JSONPointer.step(type.rawValue))
        if inner.flag("page") == false { muted.formUnion(type.alone) }
        switch inner.choice("mail", of: Mailing.self) {
        case .now: now.formUnion(type.alone)
        case .daily: daily.formUnion(type.alone)
        case .off, nil: break
        }
        form.close(inner)
    }

    /// Writes the choices: every type with its channels.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("types") { writer in
                writer.object { writer in
                    for type in FeedType.allCases {
                        let mailing: Mailing =
                            now.contains(type.alone) ? .now : daily.contains(type.alone) ? .daily : .off
                        writer.member(type.rawValue) {
                            $0.object {
                                $0.member("page", !muted.contains(type.alone))
                                $0.member("mail", mailing.rawValue)
                            }
                        }
                    }
                }
            }
            writer.member("figures", showsFigures)
        }
    }
}

/// An account that is to get a mail with its notices.
public struct FeedDue: Sendable, Hashable {
    /// The account.
    public let account: AccountID
    /// The kind of mail.
    public let pace: NoticePace
    /// When it is to be written.
    public let at: Timestamp
    /// The moment of the earliest event that it tells.
    public let since: Timestamp
    /// How many times events have joined it. A notice that has changed since it was read is not settled.
    public let turn: Int
    /// The numbers of the events that it tells: from the first that made it due to the last that was stored when it was
    /// read. Empty for one that is not stored yet.
    public let events: Range<Int>

    /// Creates a notice that is due.
    public init(
        _ account: AccountID, _ pace: NoticePace, at moment: Timestamp, since: Timestamp, turn: Int = 0,
        events: Range<Int> = 0..<0
    ) {
        self.account = account
        self.pace = pace
        at = moment
        self.since = since
        self.turn = turn
        self.events = events
    }

    /// Returns the notices with one for each account and pace, at the earliest moment and since the earliest event, which
    /// may come from different notices.
    public static func joining(_ notices: [FeedDue]) -> [FeedDue] {
        var joined: [AccountID: [NoticePace: FeedDue]] = [:]
        for notice in notices { joined[notice.account, default: [:]][notice.pace, default: notice].join(notice) }
        return joined.values.flatMap(\.values)
    }

    /// Returns the notice as it is put off because its account has got enough mails; `nil` if its mail may be sent.
    ///
    /// - Parameter earlier: The times of mails of the kind about the account, within the reach of its limits.
    public func putOff(insteadOf mail: Mail, after earlier: [Timestamp]) -> FeedDue? {
        MailPlans.wait(for: mail.kind, at: mail.createdAt, after: earlier).map { wait in
            FeedDue(account, pace, at: mail.createdAt.adding(seconds: Int64(wait)), since: since, events: events)
        }
    }

    private mutating func join(_ other: FeedDue) {
        self = FeedDue(account, pace, at: min(at, other.at), since: min(since, other.since), turn: turn, events: events)
    }
}

/// An account that wishes mails of an event.
public struct NoticeReader: Sendable {
    /// The account.
    public let account: AccountID
    /// Its choices.
    public let choices: NoticeChoices
    /// The event.
    public let event: FeedEvent

    /// Creates a reader.
    public init(account: AccountID, choices: NoticeChoices, event: FeedEvent) {
        self.account = account
        self.choices = choices
        self.event = event
    }

    /// The time in seconds for which events are gathered into one mail.
    static let gathering: Int64 = 5

    /// Returns the mails that the event makes due.
    ///
    /// - Parameter morning: The next time at which daily mails are written.
    public func due(at now: Timestamp, morning: Timestamp) -> [FeedDue] {
        NoticePace.allCases.filter { !choices.mailed($0).isDisjoint(with: event.types) }.map { pace in
            FeedDue(
                account, pace, at: pace == .now ? now.adding(seconds: Self.gathering) : morning, since: event.at)
        }
    }
}
