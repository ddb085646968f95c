public import GradingKit

extension Regulation {
    /// What an editor needs to show the text:
    ///
    /// - `words`: the positions of words by sort (`heading`, `fence`, `comment`, `keyword`, `name`, `text`, `number`),
    ///   as one list of starts and ends. The first 40,000.
    /// - `mentions`: the names in formulas that refer to a declaration, as one list of start, end, and start of the
    ///   name in its declaration. The first 20,000.
    /// - `values`: the values of settings, bands, curves, tables, scales, roundings and statuses, `{of, rows}`: the
    ///   position of the declaration's name, and the ranges of the values row by row. For a status: how it enters
    ///   averages, and everything after that.
    /// - `readings`: the figures, outcomes, checks and warnings in words of the reader's language, `{of, text}`: the
    ///   position of the declaration's name, or of the condition. See ``words(in:)``.
    /// - `configuration`: the JSON Schema, the defaults and the presets of the document's settings, as in a
    ///   description.
    ///
    /// All positions count bytes of the text.
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

    /// The record that a template describes; `nil` if there is no such template, and while the document has faults.
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
