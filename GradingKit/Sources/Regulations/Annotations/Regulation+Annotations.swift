public import GradingKit

extension Regulation {
    /// What a page needs to show the text as it is being written:
    ///
    /// - `words`: by sort (`heading`, `fence`, `comment`, `keyword`, `name`, `text`, `number`) where they stand, as one
    ///   list of starts and ends. The first 40,000 are told.
    /// - `mentions`: the names in formulas that mean a declaration, as one list of start, end, and start of the name in
    ///   its declaration, the first 20,000.
    /// - `values`: the values of settings, bands, curves, tables, scales, roundings and statuses, `{of, rows}`: where the
    ///   declaration has its name, and the ranges of the values row by row. A status has how it enters averages, and all
    ///   that stands behind.
    /// - `readings`: the figures, outcomes, checks and warnings in words of the reader's language, `{of, text}`: where the
    ///   declaration has its name, or the condition begins. See ``words(in:)``.
    /// - `configuration`: the JSON Schema, the defaults and the presets of the document's settings, as in a description.
    ///
    /// Everything counts the bytes of the text.
    public func annotations(in language: Language) -> JSON {
        let words = DocumentWords(source, document)
        var sorts = JSONObject()
        for sort in DocumentWords.Sort.allCases { sorts[sort.rawValue] = Self.flat(words.ranges[sort] ?? []) }
        let declared = document.declared
        let means = mentions.sorted { $0.key < $1.key }.flatMap { mention -> [JSON] in
            guard let place = declared[mention.value.name] else { return [] }
            return [mention.value.range.lowerBound, mention.value.range.upperBound, place.lowerBound].map(Self.number)
        }
        return [
            "words": .object(sorts), "mentions": .array(means),
            "values": .array(
                words.forms.map { form in
                    ["of": Self.number(form.declaration), "rows": .array(form.rows.map(Self.flat))]
                }),
            "readings": .array(
                reading(in: language).map { ["of": Self.number($0.place), "text": .string($0.sentence.text)] }),
            "configuration": document.particulars["configuration"] ?? .null,
        ]
    }

    private static func flat(_ ranges: [Range<Int>]) -> JSON {
        .array(ranges.flatMap { [number($0.lowerBound), number($0.upperBound)] })
    }

    private static func number(_ place: Int) -> JSON { .number(String(place)) }

    /// The record that a template of the document begins with; `nil` where there is none of that name, and while the
    /// document has faults.
    public func record(ofTemplate name: String) -> (fields: JSON, entries: JSON)? {
        guard rulebook != nil else { return nil }
        return templates.first { $0.name.text == name }.map {
            ($0.fields.isNull ? .object([:]) : $0.fields, $0.entries)
        }
    }

    /// The record of a worked example; `nil` as for templates.
    public func record(ofExample name: String) -> (fields: JSON, entries: JSON)? {
        examples.first { $0.identifier == name }.map { ($0.fields, $0.entries) }
    }
}
