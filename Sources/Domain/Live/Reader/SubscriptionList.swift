/// The subscriptions of one reader, in the order in which they came. Most readers have one, which then needs no memory
/// of its own.
struct SubscriptionList {
    private enum Storage {
        case one(Subscription)
        case many([Subscription])

        static let none = Storage.many([])
    }

    private var storage = Storage.none

    /// Returns the place of a topic's subscription; `nil` if there is none. Not a search of any collection, which asks the
    /// heap for room where it is not specialised: this runs for every frame.
    func index(of id: TopicID) -> Int? {
        switch storage {
        case .one(let subscription): subscription.topicID == id ? 0 : nil
        case .many(let list): list.firstIndex { $0.topicID == id }
        }
    }

    mutating func append(_ subscription: Subscription) {
        switch storage {
        case .one(let first): storage = .many([first, subscription])
        case .many(let list) where list.isEmpty: storage = .one(subscription)
        case .many(var list):
            storage = .none  // so that `list` is the only reference and is changed in place
            list.append(subscription)
            storage = .many(list)
        }
    }

    mutating func remove(at index: Int) {
        guard case .many(var list) = storage else {
            storage = .none
            return
        }
        storage = .none
        list.remove(at: index)
        storage = list.count == 1 ? .one(list[0]) : .many(list)
    }
}

extension SubscriptionList: RandomAccessCollection, MutableCollection {
    var startIndex: Int { 0 }
    var count: Int { endIndex }
    var indices: Range<Int> { 0..<endIndex }

    var endIndex: Int {
        switch storage {
        case .one: 1
        case .many(let list): list.count
        }
    }

    subscript(index: Int) -> Subscription {
        get {
            switch storage {
            case .one(let subscription): subscription
            case .many(let list): list[index]
            }
        }
        set {
            guard case .many(var list) = storage else {
                storage = .one(newValue)
                return
            }
            storage = .none
            list[index] = newValue
            storage = .many(list)
        }
    }
}
