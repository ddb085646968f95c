public import Forms
package import GradingKit
package import TimeZones

/// A request for a new institution, as far as it could be read.
public struct NewInstitution: Sendable {
    package let slug: Slug?
    package let title: String?
    package let locale: Language
    package let isOpen: Bool
    package let keepsReading: Bool
    package let secondFactor: SecondFactorDemand
    package let sharing: SharingPolicy
    package let timeZone: TimeZone

    /// The form of a request for a new institution.
    public static let form = RequestForm(
        "InstitutionInput", example: ["slug": "iut", "title": "IUT", "locale": "fr", "open": false]
    ) { NewInstitution(&$0) }

    private init(_ form: inout Form) {
        slug = form.slug("slug", required: true)
        title = form.line("title", max: 200, required: true)
        locale = form.choice("locale", of: Language.self) ?? .english
        isOpen = form.flag("open") ?? false
        keepsReading = form.flag("keepsReading") ?? true
        secondFactor = form.choice("secondFactor", of: SecondFactorDemand.self) ?? .none
        sharing = form.choice("sharing", of: SharingPolicy.self) ?? .allowed
        timeZone = form.timeZone("timeZone") ?? .utc
    }
}

/// A change of an institution, as read from a request; a value of `nil` leaves the member unchanged.
public struct InstitutionEdit: Sendable {
    private let slug: Slug?
    private let title: String?
    private let locale: Language?
    private let isOpen: Bool?
    private let keepsReading: Bool?
    private let secondFactor: SecondFactorDemand?
    private let sharing: SharingPolicy?
    private let timeZone: TimeZone?

    /// The form of a request to change an institution.
    public static let form = RequestForm("InstitutionPatch", example: ["title": "IUT"]) { InstitutionEdit(&$0) }

    private init(_ form: inout Form) {
        slug = form.slug("slug", required: form.ifPresent("slug"))
        title = form.line("title", max: 200, required: form.ifPresent("title"))
        locale = form.choice("locale", of: Language.self, required: form.ifPresent("locale"))
        isOpen = form.flag("open", required: form.ifPresent("open"))
        keepsReading = form.flag("keepsReading", required: form.ifPresent("keepsReading"))
        secondFactor = form.choice(
            "secondFactor", of: SecondFactorDemand.self, required: form.ifPresent("secondFactor"))
        sharing = form.choice("sharing", of: SharingPolicy.self, required: form.ifPresent("sharing"))
        timeZone = form.timeZone("timeZone", required: form.ifPresent("timeZone"))
    }

    /// Whether it gives an institution another short name.
    public func renames(_ institution: Institution) -> Bool { slug.map { $0 != institution.slug } ?? false }

    /// Whether it says nothing but a short name.
    public var isNameAlone: Bool {
        slug != nil && title == nil && locale == nil && isOpen == nil && keepsReading == nil && secondFactor == nil
            && sharing == nil && timeZone == nil
    }

    package func applied(to before: Institution) -> Institution {
        var after = before
        after.slug = slug ?? before.slug
        after.title = title ?? before.title
        after.locale = locale ?? before.locale
        after.isOpen = isOpen ?? before.isOpen
        after.keepsReading = keepsReading ?? before.keepsReading
        after.secondFactor = secondFactor ?? before.secondFactor
        after.sharing = sharing ?? before.sharing
        after.timeZone = timeZone ?? before.timeZone
        return after
    }
}

extension Form {
    fileprivate mutating func slug(_ name: String, required: Bool) -> Slug? {
        let schema = JSONSchema.text(1...64).with(["pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$"])
        return parse(name, text(name, required: required, as: schema)) { text throws(FaultList) in
            guard let slug = Slug(text) else { throw FaultList([Fault(.slugInvalid)]) }
            return slug
        }
    }

    fileprivate mutating func timeZone(_ name: String, required: Bool = false) -> TimeZone? {
        parse(name, text(name, required: required, as: JSONSchema.text(1...TimeZone.maximumLength))) {
            text throws(FaultList) in
            guard let zone = TimeZone(text) else { throw FaultList([Fault(.timeZoneUnknown)]) }
            return zone
        }
    }
}
