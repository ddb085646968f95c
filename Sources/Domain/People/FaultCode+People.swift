public import GradingKit

extension FaultCode {
    /// The institution does not allow its records to be shared.
    public static let sharingForbidden: FaultCode = "sharing_forbidden"
    /// The account follows the maximum number of people, or has made the maximum number of requests in a day.
    public static let followLimit: FaultCode = "follow_limit"
}

extension MessageCatalog {
    /// The messages for faults of sharing and following.
    public static let people = MessageCatalog([
        .sharingForbidden: LocalizedText(
            "The institution does not let its records be shared",
            fr: "L’établissement n’autorise pas le partage de ses relevés", zh: "该院校不允许分享其成绩单"),
        .followLimit: LocalizedText(
            "You follow, or have asked to follow, as many people as you may: {max}",
            fr: "Vous suivez, ou avez demandé à suivre, autant de personnes que permis : {max}",
            zh: "您关注或请求关注的人数已达上限：{max}"),
    ])
}
