import { describe, expect, it } from "vitest";
import { EARLIER_MAXIMA } from "./policy-fields.ts";
import { type Policy, POLICY_2_9_0, POLICY_FIELDS, POLICY_VERSION } from "./policy.ts";
import { nextPolicyVersion, policyDifferences, policyValue, withPolicyFields } from "./policy-changes.ts";

describe("changes of a policy", () => {
  it("a policy does not differ from itself, whatever its version is called", () => {
    expect(policyDifferences(POLICY_2_9_0, { ...structuredClone(POLICY_2_9_0), version: "9.9.9" })).toEqual([]);
  });

  it("every field can be set by its path within its bounds, shows as the one difference, and nothing else moves", () => {
    for (const { section, key, default: value, min, max, isWhole } of POLICY_FIELDS) {
      const path = `${section}.${key}`;
      const step = isWhole ? 1 : (max - min) / 1e6;
      const next = value + step <= max ? value + step : value - step;
      const changed = withPolicyFields(POLICY_2_9_0, { [path]: next });
      // Lines that must keep their order are refused with the field that they are about.
      if (!changed.ok) {
        expect(changed.issues.length, path).toBeGreaterThan(0);
        continue;
      }
      expect(policyDifferences(POLICY_2_9_0, changed.policy), path).toEqual([{ path, from: value, to: next }]);
    }
    expect(policyValue(POLICY_2_9_0, "exits.trend_closes")).toBe(2);
  });

  it.each([
    ["exits.trend_closes", 21, "must lie between 1 and 20 closes"],
    ["exits.trend_closes", 2.5, "must be a whole number"],
    ["exits.trend_closes", Number.NaN, "must be a number"],
    ["exits.nothing", 1, "is not a field"],
    ["version", 1, "is not a field"],
    ["__proto__.polluted", 1, "is not a field"],
    ["selector_top50.weight_technical", 0.5, "the three weights must add up to 1, not 1.0500"],
  ])("%s = %s: %s", (path, value, message) => {
    expect(withPolicyFields(POLICY_2_9_0, { [path]: value })).toEqual({ ok: false, issues: [{ path, message }] });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("no field is moved to where only earlier versions may stand, and what stands there is left", () => {
    for (const [path, most] of Object.entries(EARLIER_MAXIMA)) {
      const { section, key, max } = POLICY_FIELDS.find((field) => `${field.section}.${field.key}` === path)!;
      expect(max, path).toBeLessThan(most);
      const refused = withPolicyFields(POLICY_2_9_0, { [path]: max + 1 });
      expect(refused).toMatchObject({ ok: false, issues: [{ path, message: expect.stringContaining(`and ${max} `) }] });
      const stored: Policy = { ...POLICY_2_9_0, [section]: { ...POLICY_2_9_0[section], [key]: most } };
      expect(withPolicyFields(stored, { [path]: most, "exits.trend_closes": 3 })).toMatchObject({ ok: true });
      expect(withPolicyFields(stored, { [path]: most - 1 })).toMatchObject({ ok: false });
      expect(withPolicyFields(stored, { [path]: max })).toMatchObject({ ok: true });
    }
  });

  it("the policy that is changed stays as it was", () => {
    const before = structuredClone(POLICY_2_9_0);
    withPolicyFields(POLICY_2_9_0, { "exits.trend_closes": 3 });
    expect(POLICY_2_9_0).toEqual(before);
  });

  it.each([
    [[], "2.9.0"],
    [["2.9.0"], "2.9.1"],
    [["2.9.9", "2.9.10", "2.9.2"], "2.9.11"],
    [["2.9.4", "3.0.0", "2.10.7"], "3.0.1"],
    [["2.9.1-trial", "2.9.0"], "2.9.2"],
    [["not a version", "2.9.0"], "2.9.1"],
    [["2.9.9998"], "2.9.9999"],
    [["2.9.9999", "2.9.0"], "2.10.0"],
    [["2.9999.9999"], "3.0.0"],
    [["9999.9999.9999", "2.9.0"], null],
  ])("after %j comes %s", (versions, next) => {
    expect(nextPolicyVersion(versions)).toBe(next);
    if (next !== null) expect(next).toMatch(POLICY_VERSION);
  });
});
