import GradingKit
import Records

extension MessageCatalog {
    /// The wording of what can be wrong with rows of results.
    static let results = MessageCatalog([
        .entryUnknown: LocalizedText(
            "The record has no such entry", fr: "Le dossier n’a pas cet élément", zh: "该记录没有此条目"),
        .entryAmbiguous: LocalizedText(
            "Several entries have these names", fr: "Plusieurs éléments portent ces noms", zh: "有多个条目使用这些名称"),
        "record_unknown": LocalizedText(
            "The program has no such record", fr: "Le programme n’a pas ce dossier", zh: "该项目没有此记录"),
        "record_ambiguous": LocalizedText(
            "The student has several records here; name the record",
            fr: "L’étudiant a plusieurs dossiers ici ; indiquez le dossier", zh: "该学生在此有多份记录，请指明记录"),
        "columns_invalid": LocalizedText(
            "The columns do not fit the header", fr: "Les colonnes ne correspondent pas à l’en-tête", zh: "列与表头不符"),
    ])
}
