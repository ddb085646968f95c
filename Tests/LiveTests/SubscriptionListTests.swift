import Testing

@testable import Live

@Suite struct SubscriptionListTests {
    private func subscription(_ number: UInt32) -> Subscription {
        Subscription(TopicID(index: number), access: .asking(number))
    }

    @Test func `a list of none, one or many is what an array would be`() {
        var chance = SplitMix64(state: 2)
        var list = SubscriptionList()
        var array: [UInt32] = []
        for number in 0..<2_000 as Range<UInt32> {
            // Short more often than long, so that it goes from each size to the next in both directions.
            if array.isEmpty || (array.count < 4 && Bool.random(using: &chance)) {
                list.append(subscription(number))
                array.append(number)
            } else {
                let index = Int.random(in: array.indices, using: &chance)
                list.remove(at: index)
                array.remove(at: index)
            }
            #expect(list.map(\.topicID.index) == array)
        }
    }

    @Test func `an element is changed in its place`() {
        var list = SubscriptionList()
        for number in 0..<3 as Range<UInt32> {
            list.append(subscription(number))
            for index in list.indices { list[index].access = .granted }
            list[list.count - 1].access = .asking(7)
            #expect(list.map(\.access) == Array(repeating: .granted, count: Int(number)) + [.asking(7)])
        }
    }
}
