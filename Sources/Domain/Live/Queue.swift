/// First in, first out, at constant cost; the space of what has left is reclaimed in bulk.
struct Queue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }

    /// The element that leaves next, open to change.
    var first: Element? {
        get { head < elements.count ? elements[head] : nil }
        _modify {
            var nothing: Element?
            if head < elements.count { yield &elements[head] } else { yield &nothing }
        }
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
