import GradingKit
import IUT
import SchemeTestKit
import Testing

@Suite struct ConfigurationTests {
    private func faults(_ configuration: JSON, preset: String) -> [String] {
        do {
            _ = try InstalledScheme(IUT.self).rulebook(preset: preset, configuration: configuration)
            return []
        } catch {
            return error.lines
        }
    }

    @Test func `only the bars that a diploma looks at must lie below its bar`() {
        #expect(faults(["bar": 5], preset: "lp").isEmpty)
        #expect(
            faults(["bar": 5], preset: "dut") == [
                "out_of_range /configuration/bar", "out_of_range /configuration/unitBar",
            ])
        #expect(
            faults(["bar": 5, "average": ["scale": 99]], preset: "but") == [
                "out_of_range /configuration/average/scale", "out_of_range /configuration/bar",
                "out_of_range /configuration/groupLow",
            ])
        #expect(faults(["bar": "x", "unitBar": 12], preset: "dut") == ["not_a_number /configuration/bar"])
    }

    @Test func `whoever crosses a lower bar is seen though the diploma stays out of reach`() throws {
        let before = try Trial(IUT.self, preset: "dut")
        let after = try Trial(IUT.self, preset: "dut", configuration: ["unitBar": 9])
        let year = [Year.unit("1×8.5"), Year.unit("1×9.2")]
        let changes = try RulebookComparison(from: before.rules, to: after.rules)
            .changes(from: before.record(year), to: after.record(year))
        #expect(changes.map(\.aspect) == [.bar])
        #expect(changes.first?.entry == EntryID("1"))
        #expect(changes.first?.name == "diploma")
        #expect(changes.first?.before == nil)
        #expect(changes.first?.after != nil)
    }
}
