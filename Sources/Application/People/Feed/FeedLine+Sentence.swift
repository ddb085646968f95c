import Accounts
import GradingKit
import People
import Shared

extension FeedLine {
    /// The longest part of an announcement that a mail shows, in characters.
    private static let mostOfText = 200

    /// The most results that a mail names in one line.
    private static let mostResults = 10

    /// Returns the line as a sentence for a mail.
    ///
    /// - Parameter withFigures: Whether the sentence shows figures and results; if not, it only names what has results.
    func sentence(in language: Language, withFigures: Bool) -> String {
        var arguments: JSONObject = [
            "program": .string(results.isEmpty ? program?.title ?? "" : result?.title ?? program?.title ?? ""),
            "institution": .string(institution?.title ?? ""),
            "person": .string(person?.profile.displayName ?? ""), "count": .number(String(count)),
        ]
        if let title = result?.title ?? taught?.title { arguments["class"] = .string(title) }
        if let announcement { arguments["text"] = .string(String(announcement.text.prefix(Self.mostOfText))) }
        let asks = types.first == .personFollowed && state == .requested
        let type = types.first.map { asks ? "\($0.rawValue).requested" : $0.rawValue } ?? "other"
        let sentence = MessageCatalog.notices.message(FaultCode("notice.\(type)"), arguments, in: language)
        var changes = results.prefix(Self.mostResults).map { $0.sentence(in: language, withFigures: withFigures) }
        if results.count + moreResults > Self.mostResults { changes.append("…") }
        if withFigures { changes += figures.map { $0.sentence(in: language) } }
        guard !changes.isEmpty else { return sentence }
        return MessageCatalog.notices.message(
            "notice.figures", ["sentence": .string(sentence), "figures": .array(changes.map { .string($0) })],
            in: language)
    }
}

extension ChangedResult {
    /// Returns what people call the line; if it may, with what stood there before, if anything did, and after.
    fileprivate func sentence(in language: Language, withFigures: Bool) -> String {
        guard withFigures else { return label(language) }
        func text(_ side: Side?) -> String {
            guard let side else { return "–" }
            let value = side.value.map { [$0(language), best].compactMap(\.self).joined(separator: " / ") }
            let status = side.status.map { status in
                let code = FaultCode("notice.status.\(status)")
                let known = MessageCatalog.notices.contains(code)
                return side.statusLabel?(language)
                    ?? (known ? MessageCatalog.notices.message(code, in: language) : status)
            }
            let parts = [value, status].compactMap(\.self)
            return parts.isEmpty ? "–" : parts.joined(separator: language == .simplifiedChinese ? "，" : ", ")
        }
        let change = before.map { "\(text($0)) → \(text(after))" } ?? text(after)
        return MessageCatalog.notices.message(
            "notice.figure", ["name": .string(label(language)), "change": .string(change)], in: language)
    }
}

extension FeedLine.Figure {
    /// Returns the figure's name with its text before, if that is known, and after.
    fileprivate func sentence(in language: Language) -> String {
        let change = from.map { "\($0) → \(to)" } ?? to
        return MessageCatalog.notices.message(
            "notice.figure", ["name": .string(name), "change": .string(change)], in: language)
    }
}

extension MessageCatalog {
    /// The sentences of mails with news.
    static let notices = MessageCatalog([
        "notice.record.started": LocalizedText(
            "A record was started: {program}", fr: "Un relevé a été ouvert : {program}", zh: "已建立成绩单：{program}"),
        "notice.grade.entered": LocalizedText(
            "Grades were entered: {program}", fr: "Des notes ont été saisies : {program}", zh: "已录入成绩：{program}"),
        "notice.figure.changed": LocalizedText(
            "Your figures changed: {program}", fr: "Vos résultats ont changé : {program}", zh: "您的成绩指标有变化：{program}"),
        "notice.result.released": LocalizedText(
            "Results were released: {program}", fr: "Des résultats ont été publiés : {program}",
            zh: "已公布成绩：{program}"),
        "notice.result.corrected": LocalizedText(
            "Results were corrected: {program}", fr: "Des notes ont été corrigées : {program}",
            zh: "已更正成绩：{program}"),
        "notice.comment.received": LocalizedText(
            "There is a comment on a result: {class}", fr: "Un résultat a été commenté : {class}",
            zh: "有一项成绩收到评语：{class}"),
        "notice.class.reopened": LocalizedText(
            "A closed class was opened again: {class}", fr: "Un cours clos a été rouvert : {class}",
            zh: "已结束的班级重新开放：{class}"),
        "notice.correction.requested": LocalizedText(
            "A correction waits for a decision: {class}", fr: "Une correction attend une décision : {class}",
            zh: "有一项更正等待处理：{class}"),
        "notice.correction.decided": LocalizedText(
            "Your correction was decided on: {class}", fr: "Votre correction a fait l’objet d’une décision : {class}",
            zh: "您申请的更正已有处理结果：{class}"),
        "notice.outcome.reached": LocalizedText(
            "You reached an outcome: {program}", fr: "Vous avez atteint un objectif : {program}",
            zh: "您已达成一项要求：{program}"),
        "notice.friend.headline": LocalizedText(
            "{person} has news in {program}", fr: "{person} a du nouveau : {program}", zh: "{person} 在 {program} 有新动态"),
        "notice.person.followed": LocalizedText(
            "{person} follows you", fr: "{person} vous suit", zh: "{person} 关注了您"),
        "notice.person.followed.requested": LocalizedText(
            "{person} asks to follow you", fr: "{person} demande à vous suivre", zh: "{person} 请求关注您"),
        "notice.membership.granted": LocalizedText(
            "You are now a member of {institution}", fr: "Vous êtes désormais membre de {institution}",
            zh: "您已成为 {institution} 的成员"),
        "notice.program.published": LocalizedText(
            "{institution} published rules: {program}", fr: "{institution} a publié un règlement : {program}",
            zh: "{institution} 发布了规则：{program}"),
        "notice.announcement.made": LocalizedText(
            "{institution}: {text}", fr: "{institution} : {text}", zh: "{institution}：{text}"),
        "notice.other": LocalizedText("There is news", fr: "Il y a du nouveau", zh: "有新消息"),
        "notice.more": LocalizedText("And {count} more", fr: "Et encore {count}", zh: "另有 {count} 条"),
        "notice.many": LocalizedText(
            "And more than {count} more", fr: "Et plus de {count} encore", zh: "另有 {count} 多条"),
        "notice.status.absent": LocalizedText("absent", fr: "absent", zh: "缺考"),
        "notice.status.audit": LocalizedText("audit", fr: "auditeur", zh: "旁听"),
        "notice.status.excused": LocalizedText("excused", fr: "dispensé", zh: "免修"),
        "notice.status.missing": LocalizedText("missing", fr: "manquant", zh: "缺交"),
        "notice.status.pending": LocalizedText("pending", fr: "en attente", zh: "待定"),
        "notice.status.superseded": LocalizedText("superseded", fr: "remplacé", zh: "已替代"),
        "notice.status.transfer": LocalizedText("transfer", fr: "transféré", zh: "转学分"),
        "notice.status.withdrawn": LocalizedText("withdrawn", fr: "abandonné", zh: "退课"),
        "notice.figure": LocalizedText("{name}: {change}", fr: "{name} : {change}", zh: "{name}：{change}"),
        "notice.figures": LocalizedText(
            "{sentence} ({figures})", fr: "{sentence} ({figures})", zh: "{sentence}（{figures}）"),
    ])
}
