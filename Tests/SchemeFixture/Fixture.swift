import Chalkboard
import IUT
import RoseHulman
import SchemeProcess

/// The program that tests start as a scheme in a process of its own: which one, its own name says.
@main
enum Fixture {
    static func main() {
        let name = CommandLine.arguments.first?.split(separator: "/").last ?? ""
        switch name {
        case "chalkboard": SchemeProcess.run(Chalkboard.self)
        case "rose-hulman": SchemeProcess.run(RoseHulman.self)
        case "iut": SchemeProcess.run(IUT.self)
        case "yearly": SchemeProcess.run(Yearly.self)
        case "sloppy": SchemeProcess.run(Sloppy.self)
        default: SchemeProcess.run(Moody.self)
        }
    }
}
