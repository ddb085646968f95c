import Testing

@testable import GradingKit

@Suite struct ConfigurationPatchTests {
    private func merged(_ changes: JSONObject, into object: JSONObject) -> JSON {
        var object = object
        object.merge(configuration: changes)
        return .object(object)
    }

    @Test func `a part of an object changes that part alone`() {
        let rule: JSON = ["rounding": "floor", "scale": 1, "compareOn": "exact"]
        #expect(
            merged(["grade": ["compareOn": "displayed"]], into: ["grade": rule, "limit": 4])
                == ["grade": ["rounding": "floor", "scale": 1, "compareOn": "displayed"], "limit": 4])
    }

    @Test func `null takes a key away at every level, and lists are replaced`() {
        #expect(
            merged(
                ["limit": .null, "grade": ["scale": .null], "bands": [1]],
                into: ["limit": 4, "grade": ["scale": 1, "rounding": "floor"], "bands": [1, 2]])
                == ["grade": ["rounding": "floor"], "bands": [1]])
        #expect(
            merged(["grade": ["scale": .null, "rounding": "floor"]], into: [:]) == ["grade": ["rounding": "floor"]])
        #expect(merged(["grade": 3], into: ["grade": ["scale": 1]]) == ["grade": 3])
    }

    @Test func `a step takes the place of a scale`() {
        #expect(merged(["grade": ["step": "1/4"]], into: ["grade": ["scale": 1]]) == ["grade": ["step": "1/4"]])
        #expect(merged(["step": 1, "scale": 2], into: ["scale": 1]) == ["scale": 2, "step": 1])
    }
}
