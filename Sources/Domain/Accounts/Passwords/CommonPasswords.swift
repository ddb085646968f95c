/// Common passwords of at least eight characters from lists of stolen ones, which attackers try first.
enum CommonPasswords {
    /// Returns whether `password`, which must be in lower case, is one of them, or a common word followed by digits and
    /// marks.
    static func contains(_ password: String) -> Bool {
        if words.contains(password) { return true }
        let ending = password.reversed().prefix { $0.isNumber || "!.?*#".contains($0) }
        return ending.count <= 5 && stems.contains(String(password.dropLast(ending.count)))
    }

    /// Words to which people add digits and a mark to satisfy composition rules.
    private static let stems: Set<String> = split(
        """
        password passw0rd p@ssword p@ssw0rd pa55word pass welcome letmein qwerty qwertyuiop azerty azertyuiop admin \
        administrator changeme default secret iloveyou sunshine princess football baseball basketball superman batman \
        dragon monkey shadow master summer winter spring autumn freedom whatever trustno starwars computer internet \
        michael jennifer jessica charlie michelle hello motdepasse bonjour soleil doudou loulou chouchou marseille \
        woaini student teacher school university college grades grade login guest user test testing temp demo
        """)

    private static let words: Set<String> = split(
        """
        12345678 123456789 1234567890 0123456789 0987654321 987654321 87654321 9876543210 12345678910 123456789a \
        a12345678 a123456789 1234567a 12345678a q12345678 1qaz2wsx 1qaz2wsx3edc 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y \
        qazwsxedc qazwsx123 zaq12wsx zaq1zaq1 zaq1xsw2 qwer1234 qwert123 qwerty12 qwerty123 qwerty1234 qwerty12345 \
        qwerty123456 qweasdzxc qweqweqwe asdfghjk asdfghjkl asdf1234 asdfasdf asdasdasd zxcvbnm1 zxcvbnm123 zxcvbnm, \
        azertyui azerty123 aqwzsxedc 1a2b3c4d a1b2c3d4 a1b2c3d4e5 abc12345 abcd1234 abcde123 abcdef12 abcdefg1 \
        abcdefgh1 aabbccdd aa123456 aa12345678 abc123456 abc123abc qwertyui qwertyu1 poiuytrewq lkjhgfdsa mnbvcxz1 \
        123123123 1231231234 123321123 123qweasd 123qwe123 123qweasdzxc 1234qwer 12341234 12344321 12121212 13131313 \
        11223344 1122334455 112233445566 10203040 102030405060 11112222 11111112 147258369 159753159 159357159 \
        741852963 963852741 789456123 789456123a 456789123 321654987 147852369 135792468 246813579 13572468 14725836 \
        20002000 19901990 19911991 19921992 19951995 20102010 20202020 01234567 31415926 314159265 27182818 \
        password password1 password12 password123 password1234 password12345 passwords passpass pass1234 pass12345 \
        passw0rd123 p@ssw0rd123 p455w0rd mypassword yourpassword newpassword nopassword thepassword password! \
        pasword1 passwort passwort1 wachtwoord contrasena contraseña senha123 motdepasse1 parola123 lozinka1 haslo123 \
        letmein1 letmein123 letmeinn welcome1 welcome12 welcome123 welcome1234 admin123 admin1234 admin12345 \
        administrator1 adminadmin root1234 rootroot toor1234 master123 changeme changeme1 changeme123 default1 \
        iloveyou iloveyou1 iloveyou2 iloveyou123 iloveu123 ilovegod ilovejesus loveyou1 lovelove loveme123 \
        sunshine sunshine1 princess princess1 princesa football football1 baseball baseball1 basketball volleyball \
        superman superman1 spiderman batman123 pokemon1 pokemon123 pikachu1 starwars starwars1 minecraft fortnite \
        computer computer1 internet samsung1 samsung123 nintendo playstation blink182 metallica slipknot nirvana1 \
        michael1 michelle jennifer jessica1 jonathan jordan23 nicholas matthew1 anthony1 charlie1 daniel123 \
        elizabeth alexander alexandra alejandro benjamin brandon1 caroline catherine christian christopher danielle \
        dominique francois frederic gabriel1 giovanni guillaume isabelle katherine madeline margaret maxwell1 \
        melissa1 nathalie patricia patrick1 stephanie sebastian valentin valentina veronica victoria william1 \
        butterfly chocolate chocolat cupcakes buttercup strawberry bubblegum cheesecake sweetheart babygirl babygirl1 \
        babyboy1 angel123 angels12 sunflower rainbow1 snowball snoopy12 tinkerbell tweety12 hellokitty hello123 \
        hello1234 helloworld hellohello helloo12 liverpool liverpool1 chelsea1 arsenal1 manchester barcelona \
        realmadrid juventus1 cristiano ronaldo7 corvette mercedes porsche1 ferrari1 mustang1 yamaha12 kawasaki \
        suzuki12 harleydavidson charlotte dolphins steelers cowboys1 redskins packers1 lakers24 yankees1 redsox04 \
        whatever whatever1 trustno1 trustnoone freedom1 darkness midnight december november october1 september \
        february january1 monday12 friday13 november1 summer12 summer123 winter12 spring12 autumn12 summer2024 \
        summer2025 summer2026 winter2024 winter2025 winter2026 security secret12 secret123 topsecret system32 \
        server12 database oracle12 cisco123 abcabc123 testtest test1234 test12345 testing1 testing123 temp1234 \
        temporary guest123 guest1234 user1234 username default123 demo1234 demodemo student1 student123 teacher1 \
        teacher123 school12 school123 college1 university university1 graduate homework homework1 exam1234 \
        woaini1314 woaini520 woaini123 5201314520 52013145 1314520a wang1234 zhang123 qq123456 qq123456789 \
        woaiwojia a123456a asd123456 zxc123456 qwe123456 nihao123 beijing2008 shanghai bonjour1 bonjour123 jetaime1 \
        jetaimee doudou12 loulou12 marseille marseille13 parisparis france98 soleil123 chouchou chocolat1 coucou123 \
        camille1 nicolas1 maxime12 gwertyui google123 facebook facebook1 linkedin linkedin1 myspace1 instagram \
        twitter1 youtube1 whatsapp hotmail1 yahoo123 gmail123 dropbox1 adobe123 photoshop macintosh windows1 \
        windows10 windowsxp ubuntu12 debian12 linux123 asshole1 fuckyou1 fuckyou2 fuckyou123 bullshit biteme12 \
        monkey12 monkey123 dragon12 dragon123 shadow12 shadow123 killer12 killer123 hunter12 hunter22 ranger12 \
        buster12 tigger12 ginger12 pepper12 cookie12 cookie123 maggie12 bailey12 jasmine1 jordan12 thomas12 \
        robert12 george12 andrew12 joshua12 amanda12 ashley12 nicole12 hannah12 soccer12 hockey12 tennis12 \
        gateway1 gandalf1 einstein newton12 pythagoras mathematics correcthorsebatterystaple
        """)

    private static func split(_ text: String) -> Set<String> { Set(text.split(separator: " ").map { String($0) }) }
}
