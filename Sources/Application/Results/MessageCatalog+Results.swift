import GradingKit
import Records

extension MessageCatalog {
    /// The wording of faults in rows of results.
    static let results = MessageCatalog([
        .entryUnknown: LocalizedText(
            "The record has no such entry", fr: "Ce relevé n’a pas cet élément", zh: "该成绩单没有此条目"),
        .entryAmbiguous: LocalizedText(
            "Several entries have these names", fr: "Plusieurs éléments portent ces noms", zh: "有多个条目使用这些名称"),
        "record_unknown": LocalizedText(
            "The program has no such record", fr: "La formation n’a pas ce relevé", zh: "该项目没有此成绩单"),
        "record_ambiguous": LocalizedText(
            "Several people or records have this name; name the record, or say which kind of name it is",
            fr:
                "Cela désigne ici plusieurs personnes ou relevés ; indiquez lequel, ou de quelle sorte de nom il s’agit",
            zh: "此处对应多人或多份成绩单，请指明是哪一份，或说明所用名称的类别"),
        "row_limit": LocalizedText(
            "An import has at most {limit} rows; send the others in another one",
            fr: "Un import a au plus {limit} lignes ; envoyez les autres dans un second", zh: "一次导入最多 {limit} 行，其余请另行导入"
        ),
        "row_twice": LocalizedText(
            "Another row says something else here; neither is entered",
            fr: "Une autre ligne indique autre chose ici ; aucune des deux n’est saisie", zh: "另有一行在此处内容不同，两行均不录入"),
        "row_too_long": LocalizedText(
            "A row has at most {max} bytes", fr: "Une ligne a au plus {max} octets", zh: "每行最多 {max} 字节"),
        "columns_invalid": LocalizedText(
            "The columns do not fit the header", fr: "Les colonnes ne correspondent pas à l’en-tête", zh: "列与表头不符"),
    ])
}
