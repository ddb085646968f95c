import JSON
import Shared

/// Who is where in a collection, as all readers of a loop are sent it: everyone each time, never a difference.
public final class PresenceMessage: SharedMessage {
    /// One person as the others see it.
    struct Person: Equatable {
        /// A small number that stays with the person as long as the person is there, for a colour.
        let number: Int
        let seat: PresenceSeat

        /// Whether others see the same for both.
        static func == (left: Person, right: Person) -> Bool {
            left.number == right.number && left.seat.participant == right.seat.participant
                && left.seat.place == right.seat.place && left.seat.isEditing == right.seat.isEditing
        }
    }

    let people: [Person]
    /// How many more there are.
    let more: Int

    init(_ people: [Person], more: Int, in topic: Topic) {
        self.people = people
        self.more = more
        super.init(about: topic)
    }

    override var size: Int { 128 + people.count * 192 }

    /// The `presence` message, written at each call.
    public override var text: [UInt8] {
        ServerMessage.write("presence", capacity: size) {
            $0.member("topic", topic.description)
            $0.member("who") { writer in
                writer.array { writer in for person in people { person.write(to: &writer) } }
            }
            $0.member("more", more)
        }
    }
}

extension PresenceMessage.Person {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("n", number)
            writer.member("account", seat.participant.account.text)
            writer.member("name", seat.participant.name)
            if let place = seat.place {
                writer.member("at") { writer in
                    writer.array {
                        $0.string(place.row)
                        $0.string(place.line)
                    }
                }
            }
            if seat.isEditing { writer.member("editing", true) }
        }
    }
}
