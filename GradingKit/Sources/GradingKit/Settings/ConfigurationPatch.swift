extension JSONObject {
    /// Merges changes into a configuration key by key, at every level (JSON Merge Patch, RFC 7396). `null` removes a
    /// key, so that the preset's value applies again; a list is replaced as a whole.
    ///
    /// `scale` and `step` are alternatives: setting one removes the other.
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
