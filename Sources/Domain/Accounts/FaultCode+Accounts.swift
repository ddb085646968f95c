public import Messages
import Shared

extension FaultCode {
    /// Another account has this login.
    public static let loginTaken: FaultCode = "login_taken"
    /// A login with a character that logins do not have.
    public static let loginInvalid: FaultCode = "login_invalid"
    /// A login that could be taken for another one: of several scripts, or of letters that look like Latin ones.
    public static let loginConfusable: FaultCode = "login_confusable"
    /// Fewer code points than a password needs.
    public static let passwordTooShort: FaultCode = "password_too_short"
    /// More code points than a password may have.
    public static let passwordTooLong: FaultCode = "password_too_long"
    /// A password that many people use, or one made of the login or of names everybody knows here.
    public static let passwordCommon: FaultCode = "password_common"
    /// The current password, asked for again, was another one.
    public static let passwordWrong: FaultCode = "password_wrong"
    /// A link or code that was used, has expired or never was one.
    public static let tokenRefused: FaultCode = "token_refused"
    /// Bytes that are not a whole PNG, JPEG or WebP picture of a sensible size.
    public static let pictureInvalid: FaultCode = "picture_invalid"
    /// A picture of too many bytes.
    public static let pictureTooLarge: FaultCode = "picture_too_large"
    /// The server would be left without an administrator who can sign in.
    public static let lastAdministrator: FaultCode = "last_administrator"
    /// A sign-in with another server that took too long, was finished already or began elsewhere.
    public static let signInExpired: FaultCode = "sign_in_expired"
    /// What another server said of a person is not believed, or was used before.
    public static let signInRefused: FaultCode = "sign_in_refused"
    /// A code of a second factor that is wrong or was used before.
    public static let codeRefused: FaultCode = "code_refused"
    /// A passkey that is not what was asked for, is unknown, or may have been copied.
    public static let passkeyRefused: FaultCode = "passkey_refused"
    /// An account has as many passkeys as it may have.
    public static let passkeyLimit: FaultCode = "passkey_limit"
    /// An account has as many tokens as it may have.
    public static let tokenLimit: FaultCode = "token_limit"
    /// A scope that the owner of a token may not give it.
    public static let scopeRefused: FaultCode = "scope_refused"
    /// A scope that the service account of a token does not have.
    public static let serviceScopeRefused: FaultCode = "service_scope_refused"
    /// A text that is no address and no network, or a network that is everything.
    public static let networkInvalid: FaultCode = "network_invalid"
    /// Another account is linked to that person.
    public static let identityTaken: FaultCode = "identity_taken"
    /// The account is linked to another person of the same server's.
    public static let identityPresent: FaultCode = "identity_present"
    /// Without it there would be no way to sign in to the account.
    public static let lastSignIn: FaultCode = "last_sign_in"
    /// A person who has no account, and gets none by signing in.
    public static let signUpClosed: FaultCode = "sign_up_closed"
}

extension MessageCatalog {
    /// The wording of what can be wrong with an account.
    public static let accounts = MessageCatalog([
        .loginTaken: LocalizedText(
            "This login is taken", fr: "Cet identifiant est déjà pris", zh: "该登录名已被使用"),
        .loginInvalid: LocalizedText(
            "A login has letters, digits and . _ - + @ only, and begins with a letter or digit",
            fr:
                "Un identifiant ne contient que des lettres, des chiffres et . _ - + @, et commence par une lettre ou un chiffre",
            zh: "登录名只能包含字母、数字和 . _ - + @，并以字母或数字开头"),
        .loginConfusable: LocalizedText(
            "Use letters of one alphabet only: this login could be mistaken for another one",
            fr: "N’utilisez que les lettres d’un seul alphabet : cet identifiant peut être confondu avec un autre",
            zh: "请只使用一种文字的字母：该登录名容易与其他登录名混淆"),
        .passwordTooShort: LocalizedText(
            "A password has at least {min} characters", fr: "Un mot de passe a au moins {min} caractères",
            zh: "密码至少需要 {min} 个字符"),
        .passwordTooLong: LocalizedText(
            "A password has at most {max} characters", fr: "Un mot de passe a au plus {max} caractères",
            zh: "密码最多 {max} 个字符"),
        .passwordCommon: LocalizedText(
            "This password is too easy to guess", fr: "Ce mot de passe est trop facile à deviner", zh: "该密码太容易被猜到"),
        .passwordWrong: LocalizedText(
            "This is not the current password", fr: "Ce n’est pas le mot de passe actuel", zh: "当前密码不正确"),
        .tokenRefused: LocalizedText(
            "This link was used already or has expired", fr: "Ce lien a déjà servi ou a expiré", zh: "该链接已使用或已过期"),
        .emailInvalid: LocalizedText(
            "This is not an e-mail address that can be used here",
            fr: "Cette adresse e-mail ne peut pas être utilisée ici", zh: "此电子邮件地址无法使用"),
        .pictureInvalid: LocalizedText(
            "This is not a PNG, JPEG or WebP picture", fr: "Ce n’est pas une image PNG, JPEG ou WebP",
            zh: "这不是 PNG、JPEG 或 WebP 图片"),
        .pictureTooLarge: LocalizedText(
            "The picture is too large", fr: "L’image est trop volumineuse", zh: "图片过大"),
        .lastAdministrator: LocalizedText(
            "The last administrator must stay", fr: "Le dernier administrateur doit rester", zh: "必须保留最后一位管理员"),
        .signInExpired: LocalizedText(
            "This sign-in took too long; begin again", fr: "Cette connexion a pris trop de temps ; recommencez",
            zh: "登录超时，请重新开始"),
        .signInRefused: LocalizedText(
            "This sign-in was not accepted; begin again", fr: "Cette connexion n’a pas été acceptée ; recommencez",
            zh: "登录未被接受，请重新开始"),
        .codeRefused: LocalizedText(
            "This code is not right, or was used already", fr: "Ce code est incorrect ou a déjà servi",
            zh: "验证码不正确或已使用过"),
        .passkeyRefused: LocalizedText(
            "This passkey was not accepted", fr: "Cette clé d’accès n’a pas été acceptée", zh: "未接受此通行密钥"),
        .passkeyLimit: LocalizedText(
            "An account has at most {max} passkeys", fr: "Un compte a au plus {max} clés d’accès",
            zh: "每个账号最多 {max} 个通行密钥"),
        .tokenLimit: LocalizedText(
            "An account has at most {max} tokens", fr: "Un compte a au plus {max} jetons", zh: "每个账号最多 {max} 个令牌"),
        .scopeRefused: LocalizedText(
            "Only administrators can give a token this permission",
            fr: "Seuls les administrateurs peuvent donner ce droit à un jeton", zh: "只有管理员可以为令牌授予此权限"),
        .serviceScopeRefused: LocalizedText(
            "The service account does not have one of these permissions",
            fr: "Le compte de service n’a pas l’un de ces droits", zh: "该服务账号没有其中某项权限"),
        .networkInvalid: LocalizedText(
            "Write an address or a network, such as 192.0.2.10 or 10.20.0.0/16",
            fr: "Indiquez une adresse ou un réseau, par exemple 192.0.2.10 ou 10.20.0.0/16",
            zh: "请填写地址或网段，例如 192.0.2.10 或 10.20.0.0/16"),
        .identityTaken: LocalizedText(
            "This person is linked to another account", fr: "Cette personne est liée à un autre compte",
            zh: "此身份已关联到其他账号"),
        .identityPresent: LocalizedText(
            "This account is linked to another person", fr: "Ce compte est lié à une autre personne",
            zh: "此账号已关联到其他身份"),
        .signUpClosed: LocalizedText(
            "You have no account here yet; sign in from an invitation’s page, or another way and link this one",
            fr:
                "Vous n’avez pas encore de compte ici ; connectez-vous depuis la page d’une invitation, ou autrement puis associez ce service",
            zh: "您在此还没有账号；请从邀请页面登录，或用其他方式登录后再关联此方式"),
        .lastSignIn: LocalizedText(
            "It is the only way to sign in; set a password first",
            fr: "C’est le seul moyen de se connecter ; définissez d’abord un mot de passe", zh: "这是唯一的登录方式，请先设置密码"),
    ])
}
