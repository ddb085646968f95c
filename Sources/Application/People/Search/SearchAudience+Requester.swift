import Institutions
import People
import Shared

extension Requester {
    /// The audiences to which the caller belongs at the moment. A service account belongs to none but everyone.
    ///
    /// - Parameter people: whether people may find each other here.
    func audiences(people: Bool) -> [SearchAudience] {
        guard let account, home == nil else { return [.everyone] }
        var audiences: [SearchAudience] = [.everyone, .account(account)] + (people ? [.signedIn] : [])
        for membership in memberships {
            audiences.append(.members(of: membership.institution))
            switch membership.role {
            case .registrar: audiences.append(.registrars(of: membership.institution))
            case .teacher: audiences += membership.programs.map { .staff(of: $0) }
            case .student: break
            }
        }
        return audiences
    }
}
