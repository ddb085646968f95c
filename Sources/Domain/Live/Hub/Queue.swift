/// First in, first out, at constant cost; the space of what has left is reclaimed in bulk.
struct Queue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }

    /// The element that leaves next.
    var first: Element? { head < elements.count ? elements[head] : nil }

    /// Changes the element that leaves next. A function, because an accessor that lends an element of any type asks the
    /// heap for room at each call.
    mutating func changeFirst<Value>(_ change: (inout Element) -> Value?) -> Value? {
        guard var element = first else { return nil }
        elements[head] = nil  // it has one owner while it is changed
        defer { elements[head] = element }
        return change(&element)
    }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: elements.capacity <= 1_024)
            head = 0
        } else if head > 1_024, head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
