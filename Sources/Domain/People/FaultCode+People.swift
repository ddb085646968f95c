public import GradingKit

extension FaultCode {
    /// The institution does not allow its records to be shared.
    public static let sharingForbidden = FaultCode(
        "sharing_forbidden", "The institution does not let its records be shared",
        fr: "L’établissement n’autorise pas le partage de ses relevés", zh: "该院校不允许分享其成绩单")
    /// The account follows the maximum number of people, or has made the maximum number of requests in a day.
    public static let followLimit = FaultCode(
        "follow_limit", "You follow, or have asked to follow, as many people as you may: {max}",
        fr: "Vous suivez, ou avez demandé à suivre, autant de personnes que permis : {max}",
        zh: "您关注或请求关注的人数已达上限：{max}")
    /// The institution has made the maximum number of announcements in a day.
    public static let announcementLimit = FaultCode(
        "announcement_limit", "An institution makes at most {max} announcements in 24 hours",
        fr: "Un établissement publie au plus {max} annonces en 24 heures", zh: "院校在 24 小时内最多发布 {max} 条公告")
}

extension MessageCatalog {
    /// The messages for faults of sharing, following and announcing.
    public static let people = MessageCatalog([.sharingForbidden, .followLimit, .announcementLimit])
}
