/// Documents of regulations from which institutions start, built into every program that imports them.
public enum RegulationLibrary {
    /// One of the documents.
    public struct Document: Sendable {
        /// Its name, of lower-case letters, digits and hyphens.
        public let name: String
        /// The document in UTF-8.
        public let text: [UInt8]
    }

    /// The documents, in the order in which they are offered.
    public static let documents: [Document] = [
        Document(name: "weighted-groups", text: PackageResources.weighted_groups_md),
        Document(name: "natural", text: PackageResources.natural_md),
        Document(name: "assignment-types", text: PackageResources.assignment_types_md),
        Document(name: "trimestre", text: PackageResources.trimestre_md),
        Document(name: "licence-lmd", text: PackageResources.licence_lmd_md),
        Document(name: "uk-honours", text: PackageResources.uk_honours_md),
        Document(name: "glasgow", text: PackageResources.glasgow_md),
        Document(name: "dublin", text: PackageResources.dublin_md),
        Document(name: "but-year", text: PackageResources.but_year_md),
        Document(name: "ib-diploma", text: PackageResources.ib_diploma_md),
        Document(name: "ncea", text: PackageResources.ncea_md),
        Document(name: "south-africa", text: PackageResources.south_africa_md),
        Document(name: "german-ects", text: PackageResources.german_ects_md),
        Document(name: "abitur", text: PackageResources.abitur_md),
        Document(name: "austria", text: PackageResources.austria_md),
        Document(name: "swiss", text: PackageResources.swiss_md),
        Document(name: "zurich", text: PackageResources.zurich_md),
        Document(name: "italy-110", text: PackageResources.italy_110_md),
        Document(name: "spain", text: PackageResources.spain_md),
        Document(name: "portugal", text: PackageResources.portugal_md),
        Document(name: "netherlands", text: PackageResources.netherlands_md),
        Document(name: "belgium", text: PackageResources.belgium_md),
        Document(name: "denmark", text: PackageResources.denmark_md),
        Document(name: "norway", text: PackageResources.norway_md),
        Document(name: "finland", text: PackageResources.finland_md),
        Document(name: "poland", text: PackageResources.poland_md),
        Document(name: "wam", text: PackageResources.wam_md),
        Document(name: "us-gpa", text: PackageResources.us_gpa_md),
        Document(name: "toronto", text: PackageResources.toronto_md),
        Document(name: "cgpa", text: PackageResources.cgpa_md),
        Document(name: "china-gpa", text: PackageResources.china_gpa_md),
        Document(name: "japan-gpa", text: PackageResources.japan_gpa_md),
        Document(name: "singapore", text: PackageResources.singapore_md),
        Document(name: "coursework", text: PackageResources.coursework_md),
        Document(name: "standards", text: PackageResources.standards_md),
        Document(name: "chalkboard", text: PackageResources.chalkboard_md),
        Document(name: "iut", text: PackageResources.iut_md),
        Document(name: "rose-hulman", text: PackageResources.rose_hulman_md),
    ]
}
