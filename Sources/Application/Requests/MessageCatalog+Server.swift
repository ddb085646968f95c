import Accounts
import Classes
import Forms
public import GradingKit
import Institutions
import People

extension MessageCatalog {
    /// The wording of the server's own codes, combined with those of the kit and the domain.
    public static let server = MessageCatalog.kit.adding(.forms).adding(.accounts).adding(.institutions).adding(
        .people
    ).adding(
        .results
    ).adding(.classes)
        .adding(
            MessageCatalog([
                "malformed": LocalizedText("The request is malformed", fr: "La requête est mal formée", zh: "请求格式错误"),
                "unauthenticated": LocalizedText(
                    "Sign in first", fr: "Connectez-vous d’abord", zh: "请先登录"),
                "second_factor_required": LocalizedText(
                    "Show your second factor as well", fr: "Présentez aussi votre second facteur", zh: "还需要第二重验证"),
                "step_up_required": LocalizedText(
                    "Show again who you are", fr: "Confirmez à nouveau votre identité", zh: "请再次验证身份"),
                "enrolment_required": LocalizedText(
                    "Your role needs a second factor: set one up, or show the one you have",
                    fr: "Votre rôle exige un second facteur : configurez-en un, ou présentez le vôtre",
                    zh: "您的角色需要第二重验证：请先设置，或使用已有的验证方式"),
                "token_expired": LocalizedText("This token has expired", fr: "Ce jeton a expiré", zh: "此令牌已过期"),
                "insufficient_scope": LocalizedText(
                    "This token was not given this permission", fr: "Ce jeton n’a pas reçu ce droit", zh: "此令牌未获此权限"),
                "session_required": LocalizedText(
                    "Sign in to do this: no token can", fr: "Connectez-vous pour le faire : aucun jeton ne le permet",
                    zh: "此操作需要登录，不能使用令牌"),
                "forbidden": LocalizedText(
                    "You may not do this", fr: "Cette action ne vous est pas permise", zh: "您没有此权限"),
                "not_found": LocalizedText("There is no such thing", fr: "Introuvable", zh: "未找到"),
                "entry_not_found": LocalizedText("There is no such entry", fr: "Élément introuvable", zh: "未找到该条目"),
                "method_not_allowed": LocalizedText(
                    "This method is not available here", fr: "Méthode non permise ici", zh: "此处不支持该方法"),
                "timeout": LocalizedText(
                    "The request took too long", fr: "La requête a pris trop de temps", zh: "请求超时"),
                "version_conflict": LocalizedText(
                    "It was changed meanwhile", fr: "Il y a eu une modification entre-temps", zh: "内容已在此期间被修改"),
                "nothing_to_undo": LocalizedText(
                    "There is no change of yours to undo", fr: "Aucune de vos modifications à annuler",
                    zh: "没有可撤销的更改"),
                "too_large": LocalizedText("The request is too large", fr: "La requête est trop grande", zh: "请求过大"),
                "unsupported_media_type": LocalizedText(
                    "This kind of content is not accepted", fr: "Ce type de contenu n’est pas accepté", zh: "不支持的内容类型"),
                "invalid": LocalizedText(
                    "Some values cannot be accepted", fr: "Certaines valeurs ne sont pas acceptées", zh: "部分内容无法接受"),
                "idempotency_mismatch": LocalizedText(
                    "This key was used for another request", fr: "Cette clé a servi à une autre requête",
                    zh: "此键已用于其他请求"),
                "digest_mismatch": LocalizedText(
                    "Rehearse again: something changed since", fr: "Refaites la simulation : il y a eu des changements",
                    zh: "内容已变化，请重新试算"),
                .reviewTooLong: LocalizedText(
                    "To check these regulations takes too long; leave something out, or check without the laws",
                    fr: "La vérification de ce règlement est trop longue ; raccourcissez-le, ou vérifiez sans les lois",
                    zh: "检查此章程耗时过长；请删减部分内容，或不检验规律"),
                .notExecutable: LocalizedText(
                    "This scheme is part of the server and has no executable of its own",
                    fr: "Ce système de notation fait partie du serveur et n’a pas d’exécutable propre",
                    zh: "此方案内置于服务器，没有单独的可执行文件"),
                "rate_limited": LocalizedText("Too many requests", fr: "Trop de requêtes", zh: "请求过于频繁"),
                "too_many_connections": LocalizedText(
                    "Too many live connections", fr: "Trop de connexions en direct", zh: "实时连接过多"),
                "unavailable": LocalizedText("Not available just now", fr: "Indisponible pour le moment", zh: "暂时不可用"),
                "provider_unavailable": LocalizedText(
                    "The service that you sign in with does not answer; try again, or sign in another way",
                    fr: "Le service de connexion ne répond pas ; réessayez, ou connectez-vous autrement",
                    zh: "所用的登录服务没有响应，请重试或改用其他方式登录"),
                "deadline_passed": LocalizedText(
                    "The server is busy and did not get to the request in time. Send it again",
                    fr: "Le serveur est très sollicité et n’a pas pu traiter la requête à temps. Renvoyez-la",
                    zh: "服务器繁忙，未能及时处理该请求，请重新发送"),
                "storage_full": LocalizedText(
                    "The storage is full", fr: "L’espace de stockage est plein", zh: "存储空间已满"),
                "not_computable": LocalizedText("Not computable", fr: "Non calculable", zh: "无法计算"),
                "misdirected": LocalizedText(
                    "This server does not answer under this name", fr: "Ce serveur ne répond pas sous ce nom",
                    zh: "此服务器不以该名称提供服务"),
                "tls_required": LocalizedText(
                    "Use https:// to reach this server", fr: "Utilisez https:// pour accéder à ce serveur",
                    zh: "请使用 https:// 访问此服务器"),
                "internal": LocalizedText(
                    "Something went wrong on the server", fr: "Une erreur s’est produite", zh: "服务器出错，请稍后再试"),
                "taken": LocalizedText("This is taken already", fr: "Déjà pris", zh: "已被占用"),
                "scheme_unknown": LocalizedText(
                    "There is no such scheme", fr: "Système de notation inconnu", zh: "没有此方案"),
                "template_unknown": LocalizedText("There is no such template", fr: "Modèle inconnu", zh: "没有此模板"),
                "program_unpublished": LocalizedText(
                    "This program is not published", fr: "Cette formation n’est pas publiée", zh: "该项目尚未发布"),
            ]))
}

extension FaultCode {
    /// The scheme is built into the server and has no executable of its own.
    static let notExecutable: FaultCode = "not_executable"
    /// A document whose check keeps a processor longer than any should.
    static let reviewTooLong: FaultCode = "review_too_long"
}
