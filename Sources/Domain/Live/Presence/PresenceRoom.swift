import Shared

/// One collection: its participants on this loop, what the other loops say of theirs, and what all are shown.
struct PresenceRoom {
    /// A connection of this loop.
    struct Guest {
        var participant: Participant
        /// `nil` until the connection says that its person is there.
        var seat: PresenceSeat?
        /// When as many messages as may come at once may come again.
        var fullAt = Timestamp(microseconds: .min)
        /// Which picture it was sent last.
        var seen: UInt32 = 0
    }

    /// How long a person is shown who says nothing.
    static let timeout: Duration = .seconds(30)
    /// How many people a picture names.
    static let shownPeople = 32
    /// How many seats a loop tells the others: two windows for each of those shown.
    static let toldSeats = 64

    private(set) var guests: [SubscriberID: Guest] = [:]
    /// What another loop said last.
    private struct Elsewhere {
        var seats: [PresenceSeat]
        /// How many sweeps of this loop have come since.
        var sweeps = 0
    }

    /// A loop with seats speaks between any two sweeps. One that has not for so many has none any more.
    private static let silentSweeps = 2

    /// What the other loops said last.
    private var elsewhere: [Int: Elsewhere] = [:]
    /// The numbers of those who are there.
    private var numbers: [AccountID: Int] = [:]
    /// What all are shown; `nil` before anyone was there.
    private(set) var message: PresenceMessage?
    /// Rises with every picture.
    private(set) var picture: UInt32 = 0
    /// Whether the seats of this loop may have changed since the other loops heard of them.
    var hasNews = true
    /// Whether a sweep has come since the last connection left. It tells the other loops again that the room is empty.
    private(set) var isSwept = false
    /// Whether the other loops have been asked for their seats.
    var hasGreeted = false

    var hasSeats: Bool { guests.contains { $0.value.seat != nil } }

    // MARK: Guests

    /// Enters a connection, or takes what its person may do now.
    mutating func join(_ reader: SubscriberID, as participant: Participant) {
        isSwept = false
        guests[reader, default: Guest(participant: participant)].participant = participant
        guard let seat = guests[reader]?.seat, seat.participant != participant else { return }
        sit(reader, at: seat.place, isEditing: seat.isEditing, heard: seat.heardAt)
    }

    mutating func leave(_ reader: SubscriberID) {
        if guests.removeValue(forKey: reader)?.seat != nil { hasNews = true }
    }

    /// Tells the other loops of all seats, or that none are left, and forgets those of loops that are silent.
    mutating func sweep() {
        elsewhere = elsewhere.compactMapValues { said in
            said.sweeps + 1 < Self.silentSweeps ? Elsewhere(seats: said.seats, sweeps: said.sweeps + 1) : nil
        }
        if hasSeats || guests.isEmpty { hasNews = true }
        isSwept = guests.isEmpty
    }

    /// Sends the picture again to a connection that subscribes once more.
    mutating func forgetSeen(by reader: SubscriberID) { guests[reader]?.seen = 0 }

    /// Takes what a connection says, within its rate of four a second.
    ///
    /// - Returns: whether it was taken.
    mutating func here(_ reader: SubscriberID, at place: PresencePlace?, isEditing: Bool, now: Timestamp) -> Bool {
        guard let guest = guests[reader] else { return false }
        let (cost, room) = (Int64(250_000), Int64(1_000_000))
        guard max(0, guest.fullAt.microseconds(since: now)) + cost <= room else { return false }
        guests[reader]?.fullAt = Timestamp(
            microseconds: max(guest.fullAt.microseconds, now.microseconds) + cost)
        sit(reader, at: place, isEditing: isEditing, heard: now)
        return true
    }

    private mutating func sit(
        _ reader: SubscriberID, at place: PresencePlace?, isEditing: Bool, heard: Timestamp
    ) {
        guard let guest = guests[reader] else { return }
        let place = guest.participant.isWorking ? place : nil
        var seat = PresenceSeat(
            participant: guest.participant, place: place, isEditing: isEditing && place != nil, heardAt: heard,
            movedAt: heard)
        if let before = guest.seat, before.place == seat.place, before.isEditing == seat.isEditing {
            seat.movedAt = before.movedAt
        }
        guests[reader]?.seat = seat
        hasNews = true
    }

    // MARK: Other loops

    /// The seats of this loop as the others are told them.
    func news(of topic: Topic) -> PresenceNews {
        let seats = guests.values.compactMap(\.seat).sorted { $0.movedAt > $1.movedAt }
        return PresenceNews(topic: topic, seats: Array(seats.prefix(Self.toldSeats)), isGreeting: !hasGreeted)
    }

    mutating func take(_ news: PresenceNews, from loop: Int) {
        elsewhere[loop] = news.seats.isEmpty ? nil : Elsewhere(seats: news.seats)
        if news.isGreeting { hasNews = true }
    }

    // MARK: The picture

    /// Lets go of those who said nothing for too long, and draws the picture.
    ///
    /// - Returns: whether it shows something else than before.
    mutating func draw(_ topic: Topic, at now: Timestamp) -> Bool {
        letGo(at: now)
        let seats = people()
        numbers = numbers.filter { seats[$0.key] != nil }
        for seat in seats.values.sorted(by: Self.comesFirst) where numbers[seat.participant.account] == nil {
            let taken = Set(numbers.values)
            numbers[seat.participant.account] = (1...(taken.count + 1)).first { !taken.contains($0) }
        }
        let people = seats.values.map { PresenceMessage.Person(number: numbers[$0.participant.account] ?? 0, seat: $0) }
            .sorted { $0.number < $1.number }
        let shown = Array(people.prefix(Self.shownPeople))
        guard shown != message?.people ?? [] || people.count - shown.count != message?.more ?? 0 else { return false }
        message = PresenceMessage(shown, more: people.count - shown.count, in: topic)
        picture &+= 1
        return true
    }

    private mutating func letGo(at now: Timestamp) {
        let oldest = now.advanced(by: .zero - Self.timeout)
        for (reader, guest) in guests {
            guard let seat = guest.seat, seat.heardAt <= oldest else { continue }
            guests[reader]?.seat = nil
            hasNews = true
        }
        elsewhere = elsewhere.compactMapValues { said in
            let present = said.seats.filter { $0.heardAt > oldest }
            return present.isEmpty ? nil : Elsewhere(seats: present, sweeps: said.sweeps)
        }
    }

    /// One seat a person: the one that moved last, and rather one in a cell.
    private func people() -> [AccountID: PresenceSeat] {
        var people: [AccountID: PresenceSeat] = [:]
        for seat in guests.values.compactMap(\.seat) + elsewhere.values.flatMap(\.seats) {
            let account = seat.participant.account
            if let other = people[account], !Self.counts(seat, before: other) { continue }
            people[account] = seat
        }
        return people
    }

    private static func counts(_ seat: PresenceSeat, before other: PresenceSeat) -> Bool {
        if (seat.place == nil) != (other.place == nil) { return seat.place != nil }
        return seat.movedAt > other.movedAt
    }

    /// An order that every loop finds alike.
    private static func comesFirst(_ left: PresenceSeat, _ right: PresenceSeat) -> Bool {
        (left.movedAt, left.participant.account.text) < (right.movedAt, right.participant.account.text)
    }

    /// The picture, for a connection that works here and was not sent it yet.
    mutating func take(for reader: SubscriberID) -> PresenceMessage? {
        guard owes(reader) else { return nil }
        guests[reader]?.seen = picture
        return message
    }

    func owes(_ reader: SubscriberID) -> Bool {
        guard let guest = guests[reader], guest.participant.isWorking else { return false }
        return guest.seen != picture && message != nil
    }
}
