public import GradingKit

/// The hue rotation of the drawn avatar: 0…360 degrees in steps of 0.1, stored exactly.
public struct AvatarHue: Sendable, Hashable {
    /// The angle in tenths of a degree, 0…3,600.
    public let tenths: Int

    /// No rotation.
    public static let zero = AvatarHue(tenths: 0)

    /// Creates a hue from tenths of a degree, clamped to the range.
    public init(tenths: Int) { self.tenths = min(max(tenths, 0), 3_600) }

    /// Reads a number or its text; throws its faults with paths relative to the value.
    public init(_ json: JSON) throws(FaultList) {
        let text: String
        switch json {
        case .number(let written), .string(let written): text = written
        default: throw FaultList([Fault(.wrongType, ["expected": "number"])])
        }
        guard let decimal = DecimalText(text, allowsExponent: true) else { throw FaultList([Fault(.notANumber)]) }
        guard decimal.decimals <= 1 else { throw FaultList([Fault(.tooPrecise)]) }
        guard let tenths = (decimal.value * 10).integer, (0...3_600).contains(tenths) else {
            throw FaultList([Fault(.outOfRange, ["min": 0, "max": 360])])
        }
        self.tenths = tenths
    }

    /// The angle in degrees as the shortest decimal: `210`, `12.5`.
    public var text: String { tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)" }
}
