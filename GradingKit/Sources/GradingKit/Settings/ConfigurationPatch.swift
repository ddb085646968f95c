extension JSONObject {
    /// Merges changes of a configuration key by key, at every level (JSON Merge Patch, RFC 7396): `null` takes a key
    /// away, so that the preset's value holds again; a list is replaced as a whole.
    ///
    /// `scale` and `step` say the same thing in two ways: naming the one takes the other away.
    public mutating func merge(configuration changes: JSONObject) {
        for member in changes {
            if let other = Self.alternatives[member.name], changes[other] == nil { self[other] = JSON?.none }
            switch (self[member.name], member.value) {
            case (_, .null): self[member.name] = JSON?.none
            case (.object(var inner)?, .object(let innerChanges)):
                inner.merge(configuration: innerChanges)
                self[member.name] = .object(inner)
            case (_, .object(let innerChanges)):
                var inner = JSONObject()
                inner.merge(configuration: innerChanges)
                self[member.name] = .object(inner)
            default: self[member.name] = member.value
            }
        }
    }

    private static let alternatives = ["scale": "step", "step": "scale"]
}
