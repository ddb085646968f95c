import GradingKit

/// Reads templates, presets and examples.
extension DocumentParser {
    mutating func readTemplate(_ head: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        var heading = try heading(&head, raw, as: "template", atMost: 64)
        heading.label = try head.labelIfAny()
        try head.finish()
        let outline = try OutlineParser(faults).entries(raw.body)
        document.templates.append(
            RegulationDocument.Template(heading: heading, entries: outline.entries, record: outline.record))
    }

    mutating func readPreset(_ reader: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        var heading = try heading(&reader, raw, as: "preset", atMost: 64)
        heading.label = try reader.labelIfAny()
        try reader.word(":")
        var preset = RegulationDocument.Preset(heading: heading)
        repeat {
            let setting = try reader.anyName()
            try reader.word("=")
            preset.values.append((setting, try OutlineParser.value(&reader)))
            try check(preset.values.count, atMost: 128, at: setting.range)
        } while reader.takes(",")
        try reader.finish()
        document.presets.append(preset)
    }

    mutating func readExample(_ head: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        var heading = try heading(&head, raw, as: "example", atMost: 1_000)
        heading.label = try head.labelIfAny()
        try head.finish()
        var example = RegulationDocument.Example(heading: heading)
        var outline: [RuleLine] = []
        for line in raw.body {
            var reader = TokenReader(line.tokens, faults)
            if reader.takes("expect") {
                repeat { example.expectations.append(try OutlineParser.expectation(&reader)) } while reader.takes(",")
                try reader.finish()
                try check(example.expectations.count, atMost: 500, at: line.range)
            } else if reader.takes("template") {
                example.template = try reader.anyName()
                while reader.takes("with") { example.changes.append(try OutlineParser.change(&reader)) }
                try reader.finish()
            } else if reader.takes("with") {
                example.changes.append(try OutlineParser.change(&reader))
                try reader.finish()
            } else {
                outline.append(line)
            }
        }
        let entries = try OutlineParser(faults).entries(outline)
        (example.entries, example.record) = (entries.entries, entries.record)
        document.examples.append(example)
    }
}
