public import GradingKit
public import Shared

/// The identifier of a section of a class.
public typealias SectionID = Identifier<ClassSection>

/// A part of a cross-listed class, with values of its own for some fields of the root, such as number and credits.
public struct ClassSection: Sendable, Equatable {
    /// A change of a section; `nil` leaves a part unchanged.
    public struct Patch: Sendable, Equatable {
        /// The title for people.
        public var title: String?
        /// Fields of the root to merge, key by key; `null` restores the root's value.
        public var fields: JSONObject

        /// A change of a section.
        public init(title: String? = nil, fields: JSONObject = JSONObject()) {
            self.title = title
            self.fields = fields
        }
    }

    /// The section.
    public let id: SectionID
    /// The title for people.
    public var title: String
    /// The fields of the root for which the section has its own values.
    public var fields: JSONObject

    /// A section.
    public init(_ id: SectionID, title: String, fields: JSONObject = JSONObject()) {
        self.id = id
        self.title = title
        self.fields = fields
    }

    mutating func take(_ patch: Patch) {
        title = patch.title ?? title
        for member in patch.fields { fields[member.name] = member.value.isNull ? JSON?.none : member.value }
    }
}

extension ClassStructure {
    /// A section by its identifier.
    public func section(_ id: SectionID) -> ClassSection? { sections.first { $0.id == id } }

    mutating func add(_ patch: ClassSection.Patch, as id: SectionID) -> FaultCode? {
        guard sections.count < ClassLimits.sections else { return .sectionLimit }
        var section = ClassSection(id, title: "")
        section.take(patch)
        sections.append(section)
        return nil
    }

    /// Renames the fields of sections.
    public mutating func renameSections(_ transform: (JSONObject) -> JSONObject) {
        sections = sections.map { ClassSection($0.id, title: $0.title, fields: transform($0.fields)) }
    }

    /// Renames the figure that shows which students are at risk.
    public mutating func renameTarget(_ transform: (String) -> String) {
        guard let figure = policy.risk?.target?.figure else { return }
        policy.risk?.target?.figure = transform(figure)
    }

    /// The fields of the root for students of a section; without a section, those of the class itself.
    public func rootFields(of section: SectionID?) -> JSONObject {
        var fields = root.fields
        for member in section.flatMap({ self.section($0) })?.fields ?? JSONObject() {
            fields[member.name] = member.value
        }
        return fields
    }
}

// MARK: - As it is stored and shown

extension ClassSection {
    /// `{"id","title","fields"}`.
    public var json: JSON { ["id": .string(id.text), "title": .string(title), "fields": .object(fields)] }

    init?(_ json: JSON) {
        guard let id = json["id"]?.string, let title = json["title"]?.string, let fields = json["fields"]?.object else {
            return nil
        }
        self.init(SectionID(id), title: title, fields: fields)
    }
}
