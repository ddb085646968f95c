import GradingKit
import Shared

extension MessageCatalog {
    /// The texts of mails. Each kind has a subject, a text, sometimes a link or particulars, and a note on what to do
    /// if the recipient did not cause the mail.
    static let mails = MessageCatalog([
        // Leaves out the login, because anyone could use it to send a text of their own to any address.
        "mail.confirmation.subject": LocalizedText(
            "Confirm your e-mail address", fr: "Confirmez votre adresse e-mail", zh: "确认您的电子邮件地址"),
        "mail.confirmation.text": LocalizedText(
            "This address was entered for an account on {site}. To confirm it, follow this link within a day:",
            fr:
                "Cette adresse a été indiquée pour un compte sur {site}. Pour la confirmer, suivez ce lien dans les 24 heures :",
            zh: "有人在 {site} 的一个账号中填写了此地址。请在一天内打开以下链接进行确认："),
        "mail.confirmation.link": LocalizedText("Confirm", fr: "Confirmer", zh: "确认"),
        "mail.confirmation.note": LocalizedText(
            "If it was not you, ignore this mail: without the link the address is not used.",
            fr: "Si ce n’était pas vous, ignorez ce message : sans ce lien, l’adresse ne sera pas utilisée.",
            zh: "如果不是您本人填写，请忽略此邮件：未经确认，该地址不会被使用。"),

        "mail.addressChanged.subject": LocalizedText(
            "Your e-mail address was changed", fr: "Votre adresse e-mail a été modifiée", zh: "您的电子邮件地址已更改"),
        "mail.addressChanged.text": LocalizedText(
            "Your account {login} on {site} has another e-mail address now. This is the last mail to this one.",
            fr:
                "Votre compte {login} sur {site} a désormais une autre adresse e-mail. C’est le dernier message envoyé à celle-ci.",
            zh: "您在 {site} 的账号 {login} 已改用其他电子邮件地址。这是发往此地址的最后一封邮件。"),
        "mail.addressChanged.note": LocalizedText(
            "If it was not you, sign in at once, change your password and set your address again.",
            fr:
                "Si ce n’était pas vous, connectez-vous sans attendre, changez votre mot de passe et rétablissez votre adresse.",
            zh: "如果不是您本人操作，请立即登录，更改密码并重新设置地址。"),

        "mail.addressRemoved.subject": LocalizedText(
            "Your e-mail address was removed", fr: "Votre adresse e-mail a été supprimée", zh: "您的电子邮件地址已删除"),
        "mail.addressRemoved.text": LocalizedText(
            "Your account {login} on {site} has no e-mail address any more. This is the last mail to this one.",
            fr:
                "Votre compte {login} sur {site} n’a plus d’adresse e-mail. C’est le dernier message envoyé à celle-ci.",
            zh: "您在 {site} 的账号 {login} 已不再有电子邮件地址。这是发往此地址的最后一封邮件。"),
        "mail.addressRemoved.note": LocalizedText(
            "If it was not you, sign in at once, change your password and set your address again.",
            fr:
                "Si ce n’était pas vous, connectez-vous sans attendre, changez votre mot de passe et rétablissez votre adresse.",
            zh: "如果不是您本人操作，请立即登录，更改密码并重新设置地址。"),

        "mail.accountDeleted.subject": LocalizedText(
            "Your account was deleted", fr: "Votre compte a été supprimé", zh: "您的账号已删除"),
        "mail.accountDeleted.text": LocalizedText(
            "Your account {login} on {site} was deleted. This is the last mail to this address.",
            fr: "Votre compte {login} sur {site} a été supprimé. C’est le dernier message envoyé à cette adresse.",
            zh: "您在 {site} 的账号 {login} 已删除。这是发往此地址的最后一封邮件。"),
        "mail.accountDeleted.note": LocalizedText(
            "If you did not ask for it, write at once to those who run the server.",
            fr: "Si vous n’en avez pas fait la demande, écrivez sans attendre aux responsables du serveur.",
            zh: "如果这并非您本人的要求，请立即联系服务器管理人员。"),

        "mail.reset.subject": LocalizedText(
            "Set a new password", fr: "Choisissez un nouveau mot de passe", zh: "设置新密码"),
        "mail.reset.text": LocalizedText(
            "Someone asked for a new password for your account {login} on {site}. Set it with this link within 30 minutes:",
            fr:
                "Un nouveau mot de passe a été demandé pour votre compte {login} sur {site}. Choisissez-le avec ce lien dans les 30 minutes :",
            zh: "有人请求为您在 {site} 的账号 {login} 设置新密码。请在 30 分钟内打开以下链接进行设置："),
        "mail.reset.link": LocalizedText(
            "Set a new password", fr: "Choisir un nouveau mot de passe", zh: "设置新密码"),
        "mail.reset.note": LocalizedText(
            "If it was not you, ignore this mail: your password stays as it is.",
            fr: "Si ce n’était pas vous, ignorez ce message : votre mot de passe reste le même.",
            zh: "如果不是您本人请求，请忽略此邮件，您的密码不会改变。"),

        "mail.invitation.subject": LocalizedText(
            // The title appears only in the text, so that a registrar cannot choose the subject of this server's mails.
            "You have been invited to an institution", fr: "Vous êtes invité(e) à rejoindre un établissement",
            zh: "邀请您加入一所院校"),
        "mail.invitation.text": LocalizedText(
            // Nor is it here: the address need be no member's, and a title could say anything to anybody.
            "You are invited to an institution on {site}. See the invitation with this link within seven days:",
            fr:
                "Vous êtes invité(e) à rejoindre un établissement sur {site}. Consultez l’invitation avec ce lien dans les sept jours :",
            zh: "{site} 上的一所院校邀请您加入。请在七天内打开以下链接查看邀请："),
        "mail.invitation.link": LocalizedText("See the invitation", fr: "Voir l’invitation", zh: "查看邀请"),
        "mail.invitation.note": LocalizedText(
            "If you did not expect it, ignore this mail.", fr: "Si vous ne l’attendiez pas, ignorez ce message.",
            zh: "如果您不了解此邀请，请忽略此邮件。"),

        "mail.newDevice.subject": LocalizedText(
            "Sign-in from a new device", fr: "Connexion depuis un nouvel appareil", zh: "有新设备登录您的账号"),
        "mail.newDevice.text": LocalizedText(
            "A device that was not used before signed in to your account {login} on {site}.",
            fr: "Un appareil inconnu jusqu’ici s’est connecté à votre compte {login} sur {site}.",
            zh: "一台此前未使用过的设备登录了您在 {site} 的账号 {login}。"),
        "mail.newDevice.particulars": LocalizedText(
            "Device: {device}\nAddress: {source}\nTime: {time} UTC",
            fr: "Appareil : {device}\nAdresse : {source}\nHeure : {time} UTC",
            zh: "设备：{device}\n地址：{source}\n时间：{time} UTC"),
        "mail.newDevice.note": LocalizedText(
            "If it was not you, change your password and end that sign-in on the security page.",
            fr:
                "Si ce n’était pas vous, changez votre mot de passe et mettez fin à cette connexion sur la page de sécurité.",
            zh: "如果不是您本人登录，请更改密码，并在安全页面结束该登录。"),
        // The subject is one of the server's own sentences, so that no person can choose it.
        "mail.security.subject": LocalizedText("{what}", fr: "{what}", zh: "{what}"),
        "mail.security.text": LocalizedText(
            "{what}. This is about your account {login} on {site}.",
            fr: "{what}. Il s’agit de votre compte {login} sur {site}.",
            zh: "{what}。涉及您在 {site} 的账号 {login}。"),
        "mail.security.particulars": LocalizedText(
            "Address: {source}\nTime: {time} UTC", fr: "Adresse : {source}\nHeure : {time} UTC",
            zh: "地址：{source}\n时间：{time} UTC"),
        "mail.security.note": LocalizedText(
            "If it was not you, sign in at once, change your password and look at the security page. If you cannot sign in, ask those who run the server.",
            fr:
                "Si ce n’était pas vous, connectez-vous sans attendre, changez votre mot de passe et consultez la page de sécurité. Si vous ne pouvez plus vous connecter, adressez-vous aux responsables du serveur.",
            zh: "如果不是您本人操作，请立即登录，更改密码并查看安全页面。如果无法登录，请联系服务器管理人员。"),
        "mail.security.password.changed": LocalizedText(
            "Your password was changed", fr: "Votre mot de passe a été modifié",
            zh: "您的密码已更改"),
        "mail.security.password.set": LocalizedText(
            "A new password was set for your account", fr: "Un nouveau mot de passe a été défini pour votre compte",
            zh: "您的账号已设置新密码"),
        "mail.security.second-factor.set": LocalizedText(
            "An authenticator app was added to your account",
            fr: "Une application d’authentification a été ajoutée à votre compte",
            zh: "您的账号已添加身份验证器应用"),
        "mail.security.second-factor.removed": LocalizedText(
            "The second factor of your account was removed", fr: "Le second facteur de votre compte a été supprimé",
            zh: "您账号的第二重验证已移除"),
        "mail.security.second-factor.refused": LocalizedText(
            "Your password was entered, then five wrong codes",
            fr: "Votre mot de passe a été saisi, suivi de cinq codes erronés",
            zh: "有人输入了您的密码，随后五次输错验证码"),
        "mail.security.recovery-codes.renewed": LocalizedText(
            "New recovery codes replace those of your account",
            fr: "De nouveaux codes de secours remplacent ceux de votre compte",
            zh: "您账号的恢复码已更换"),
        "mail.security.recovery-code.used": LocalizedText(
            "A recovery code of your account was used", fr: "Un code de secours de votre compte a été utilisé",
            zh: "您账号的一个恢复码已被使用"),
        "mail.security.passkey.added": LocalizedText(
            "A passkey was added to your account", fr: "Une clé d’accès a été ajoutée à votre compte",
            zh: "您的账号已添加通行密钥"),
        "mail.security.passkey.removed": LocalizedText(
            "A passkey of your account was removed", fr: "Une clé d’accès de votre compte a été supprimée",
            zh: "您账号的一个通行密钥已移除"),
        "mail.security.passkey.refused": LocalizedText(
            "A passkey of your account was refused: it may have been copied",
            fr: "Une clé d’accès de votre compte a été refusée : elle a peut-être été copiée",
            zh: "您账号的一个通行密钥被拒绝：它可能已被复制"),
        "mail.security.identity.linked": LocalizedText(
            "Another way to sign in was linked to your account",
            fr: "Un autre moyen de connexion a été lié à votre compte",
            zh: "您的账号已关联新的登录方式"),
        "mail.security.identity.unlinked": LocalizedText(
            "A linked way to sign in was removed from your account",
            fr: "Un moyen de connexion lié a été retiré de votre compte",
            zh: "您的账号已移除一个关联的登录方式"),
        "mail.security.token.created": LocalizedText(
            "An API token was made for your account", fr: "Un jeton d’API a été créé pour votre compte",
            zh: "您的账号已创建一个 API 令牌"),
        "mail.notice.subject": LocalizedText("News on {site}", fr: "Du nouveau sur {site}", zh: "{site} 上有新消息"),
        "mail.notice.text": LocalizedText(
            "There is news for you on {site}:", fr: "Il y a du nouveau pour vous sur {site} :", zh: "{site} 上有您的新消息："),
        "mail.notice.link": LocalizedText("Read the news", fr: "Lire les nouvelles", zh: "查看消息"),
        "mail.notice.note": LocalizedText(
            "You asked for these mails. The page Timeline has the choice of what is mailed, under Notifications.",
            fr: "Vous avez demandé ces messages. La page Fil permet de choisir ce qui est envoyé, sous Notifications.",
            zh: "这些邮件由您选择接收。您可在“动态”页面的“通知设置”中选择接收哪些邮件。"),
        "mail.source.other": LocalizedText(
            "by an administrator, or on the server", fr: "par un administrateur, ou sur le serveur",
            zh: "由管理员或在服务器上操作"),
        "mail.device.unknown": LocalizedText("unknown", fr: "inconnu", zh: "未知"),
    ])
}
