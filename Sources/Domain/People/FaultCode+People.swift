public import GradingKit

extension FaultCode {
    /// The institution lets none of its records be shared.
    public static let sharingForbidden: FaultCode = "sharing_forbidden"
    /// An account follows as many as it may, or has asked as often as it may in a day.
    public static let followLimit: FaultCode = "follow_limit"
}

extension MessageCatalog {
    /// The wording of what can be wrong with what people share.
    public static let people = MessageCatalog([
        .sharingForbidden: LocalizedText(
            "The institution does not let its records be shared",
            fr: "L’établissement n’autorise pas le partage de ses relevés", zh: "该院校不允许分享其成绩单"),
        .followLimit: LocalizedText(
            "You follow, or have asked to follow, as many people as you may: {max}",
            fr: "Vous suivez, ou avez demandé à suivre, autant de personnes que permis : {max}",
            zh: "您关注或请求关注的人数已达上限：{max}"),
    ])
}
