extension Presentation {
    /// Reads the presentation of a described figure.
    init(_ wire: WireValue) throws(SchemeFailure) {
        var presentation = Presentation(try wire["label"].localized(), try FigureRule(wire["rule"]))
        if try !wire["range"].flag(orElse: true) { presentation = presentation.withoutRange() }
        if try wire["short"].flag() { presentation = presentation.shortened() }
        if !wire["letters"].isNull { presentation = presentation.lettered(by: try Bands(wire["letters"])) }
        if let article = try wire["article"].textIfAny() { presentation = presentation.citing(article) }
        self = presentation
    }

    /// Returns the presentation with the band and the text that the scheme determined for one value.
    func showing(band: String?, text: LocalizedText?) -> Presentation {
        var presentation = self
        if let band { presentation = presentation.coloured { _ in band } }
        if let text { presentation = presentation.worded { _ in text } }
        return presentation
    }

    /// Writes the presentation, for clients and for the host of a scheme in its own process.
    func describe(to writer: inout JSONWriter) {
        writer.member("rule", rule.described)
        writer.member("range", hasRange)
        writer.member("short", isShortened)
        if let letters { writer.member("letters", letters.described) }
        if let article { writer.member("article", article) }
    }
}

extension FigureRule {
    /// The rule with its direction, which no configuration may change.
    var described: JSON {
        guard better == .lower, case .object(var object) = json else { return json }
        object["better"] = .string(better.rawValue)
        return .object(object)
    }

    /// Reads a described rule.
    init(_ wire: WireValue) throws(SchemeFailure) {
        self.init(.halfUp, scale: 2, compareOn: .exact)
        better =
            try wire["better"].optional { value throws(SchemeFailure) in try value.word(Direction.self) } ?? .higher
        guard var object = wire.json.object else { throw wire.wrong("a rule") }
        object["better"] = nil
        var faults = FaultList()
        merge(.object(object), at: "", &faults)
        if !faults.isEmpty { throw wire.wrong("a rule: \(faults.faults.map { "\($0.code) \($0.path)" })") }
    }
}

extension Bands {
    /// The scale with the rule by which it judges.
    var described: JSON { ["rule": rule.described, "bands": .array(list.map(\.described))] }

    /// Reads a described scale.
    init(_ wire: WireValue) throws(SchemeFailure) {
        let bands = try wire["bands"].map { band throws(SchemeFailure) in
            Band(
                try band["label"].text(), from: try band["from"].exact(),
                points: try band["points"].optional { value throws(SchemeFailure) in try value.exact() },
                text: try band["text"].optional { value throws(SchemeFailure) in try value.localized() })
        }
        self.init(bands, judging: try FigureRule(wire["rule"]))
    }
}

extension Band {
    /// The band with the names of its label.
    fileprivate var described: JSON {
        guard let text, case .object(var object) = json else { return json }
        object["text"] = text.json
        return .object(object)
    }
}
