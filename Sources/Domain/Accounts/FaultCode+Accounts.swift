public import Messages
import Shared

extension FaultCode {
    /// Another account has this login.
    public static let loginTaken = FaultCode(
        "login_taken", "This login is taken", fr: "Cet identifiant est déjà pris", zh: "该登录名已被使用")
    /// The login has a character that is not allowed in logins.
    public static let loginInvalid = FaultCode(
        "login_invalid", "A login has letters, digits and . _ - + @ only, and begins with a letter or digit",
        fr:
            "Un identifiant ne contient que des lettres, des chiffres et . _ - + @, et commence par une lettre ou un chiffre",
        zh: "登录名只能包含字母、数字和 . _ - + @，并以字母或数字开头")
    /// The login could be mistaken for another one: it mixes scripts, or has only letters that look like Latin ones.
    public static let loginConfusable = FaultCode(
        "login_confusable", "Use letters of one alphabet only: this login could be mistaken for another one",
        fr: "N’utilisez que les lettres d’un seul alphabet : cet identifiant peut être confondu avec un autre",
        zh: "请只使用一种文字的字母：该登录名容易与其他登录名混淆")
    /// The password has too few code points.
    public static let passwordTooShort = FaultCode(
        "password_too_short", "A password has at least {min} characters",
        fr: "Un mot de passe a au moins {min} caractères",
        zh: "密码至少需要 {min} 个字符")
    /// The password has too many code points.
    public static let passwordTooLong = FaultCode(
        "password_too_long", "A password has at most {max} characters",
        fr: "Un mot de passe a au plus {max} caractères",
        zh: "密码最多 {max} 个字符")
    /// Many people use the password, or it consists of the login or of names that everyone here knows.
    public static let passwordCommon = FaultCode(
        "password_common", "This password is too easy to guess", fr: "Ce mot de passe est trop facile à deviner",
        zh: "该密码太容易被猜到")
    /// The current password, which was asked for again, is wrong.
    public static let passwordWrong = FaultCode(
        "password_wrong", "This is not the current password", fr: "Ce n’est pas le mot de passe actuel", zh: "当前密码不正确")
    /// The link or code was used, has expired or never existed.
    public static let tokenRefused = FaultCode(
        "token_refused", "This link was used already or has expired", fr: "Ce lien a déjà servi ou a expiré",
        zh: "该链接已使用或已过期")
    /// The bytes are not a complete PNG, JPEG or WebP picture of an acceptable size.
    public static let pictureInvalid = FaultCode(
        "picture_invalid", "This is not a PNG, JPEG or WebP picture", fr: "Ce n’est pas une image PNG, JPEG ou WebP",
        zh: "这不是 PNG、JPEG 或 WebP 图片")
    /// The picture has too many bytes.
    public static let pictureTooLarge = FaultCode(
        "picture_too_large", "The picture is too large", fr: "L’image est trop volumineuse", zh: "图片过大")
    /// The change would leave the server without an administrator who can sign in.
    public static let lastAdministrator = FaultCode(
        "last_administrator", "The last administrator must stay", fr: "Le dernier administrateur doit rester",
        zh: "必须保留最后一位管理员")
    /// The sign-in with a provider took too long, has ended, or was begun in another browser.
    public static let signInExpired = FaultCode(
        "sign_in_expired", "This sign-in took too long; begin again",
        fr: "Cette connexion a pris trop de temps ; recommencez",
        zh: "登录超时，请重新开始")
    /// The provider's assertion is not trusted, or was used before.
    public static let signInRefused = FaultCode(
        "sign_in_refused", "This sign-in was not accepted; begin again",
        fr: "Cette connexion n’a pas été acceptée ; recommencez",
        zh: "登录未被接受，请重新开始")
    /// The code of the second factor is wrong or was used before.
    public static let codeRefused = FaultCode(
        "code_refused", "This code is not right, or was used already", fr: "Ce code est incorrect ou a déjà servi",
        zh: "验证码不正确或已使用过")
    /// The passkey does not answer the challenge, is unknown, or may have been copied.
    public static let passkeyRefused = FaultCode(
        "passkey_refused", "This passkey was not accepted", fr: "Cette clé d’accès n’a pas été acceptée", zh: "未接受此通行密钥"
    )
    /// The account has the maximum number of passkeys.
    public static let passkeyLimit = FaultCode(
        "passkey_limit", "An account has at most {max} passkeys", fr: "Un compte a au plus {max} clés d’accès",
        zh: "每个账号最多 {max} 个通行密钥")
    /// The account has the maximum number of tokens.
    public static let tokenLimit = FaultCode(
        "token_limit", "An account has at most {max} tokens", fr: "Un compte a au plus {max} jetons",
        zh: "每个账号最多 {max} 个令牌")
    /// The owner of the token may not give it this scope.
    public static let scopeRefused = FaultCode(
        "scope_refused", "Only administrators can give a token this permission",
        fr: "Seuls les administrateurs peuvent donner ce droit à un jeton", zh: "只有管理员可以为令牌授予此权限")
    /// The service account of the token does not have this scope.
    public static let serviceScopeRefused = FaultCode(
        "service_scope_refused", "The service account does not have one of these permissions",
        fr: "Le compte de service n’a pas l’un de ces droits", zh: "该服务账号没有其中某项权限")
    /// The text is neither an address nor a network, or the network contains all addresses.
    public static let networkInvalid = FaultCode(
        "network_invalid", "Write an address or a network, such as 192.0.2.10 or 10.20.0.0/16",
        fr: "Indiquez une adresse ou un réseau, par exemple 192.0.2.10 ou 10.20.0.0/16",
        zh: "请填写地址或网段，例如 192.0.2.10 或 10.20.0.0/16")
    /// Another account is linked with this identity.
    public static let identityTaken = FaultCode(
        "identity_taken", "This person is linked to another account", fr: "Cette personne est liée à un autre compte",
        zh: "此身份已关联到其他账号")
    /// The account is linked with another identity of the same issuer.
    public static let identityPresent = FaultCode(
        "identity_present", "This account is linked to another person", fr: "Ce compte est lié à une autre personne",
        zh: "此账号已关联到其他身份")
    /// Removing it would leave no way to sign in to the account.
    public static let lastSignIn = FaultCode(
        "last_sign_in", "It is the only way to sign in; set a password first",
        fr: "C’est le seul moyen de se connecter ; définissez d’abord un mot de passe", zh: "这是唯一的登录方式，请先设置密码")
    /// The person has no account, and signing in does not create one.
    public static let signUpClosed = FaultCode(
        "sign_up_closed",
        "You have no account here yet; sign in from an invitation’s page, or another way and link this one",
        fr:
            "Vous n’avez pas encore de compte ici ; connectez-vous depuis la page d’une invitation, ou autrement puis associez ce service",
        zh: "您在此还没有账号；请从邀请页面登录，或用其他方式登录后再关联此方式")
}

extension MessageCatalog {
    /// The messages for faults of accounts.
    public static let accounts = MessageCatalog([
        .emailInvalid, .loginTaken, .loginInvalid, .loginConfusable, .passwordTooShort, .passwordTooLong,
        .passwordCommon, .passwordWrong, .tokenRefused, .pictureInvalid, .pictureTooLarge, .lastAdministrator,
        .signInExpired, .signInRefused, .codeRefused, .passkeyRefused, .passkeyLimit, .tokenLimit, .scopeRefused,
        .serviceScopeRefused, .networkInvalid, .identityTaken, .identityPresent, .lastSignIn, .signUpClosed,
    ])
}
