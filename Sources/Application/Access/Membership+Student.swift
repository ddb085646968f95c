import GradingKit
import Institutions
import Shared

extension Sequence<Membership> {
    /// Throws unless the account with these memberships is a student of an institution: neither its staff nor a service
    /// account becomes one.
    func requireStudent(of institution: InstitutionID, at path: String) throws(FaultList) {
        guard let membership = first(where: { $0.institution == institution }) else {
            throw FaultList([Fault(.accountUnknown, at: path)])
        }
        guard membership.role == .student else { throw FaultList([Fault(.notStudent, at: path)]) }
    }
}
