import { describe, expect, it } from "vitest";
import { EARLIER_MAXIMA, LATER_FIELDS } from "./policy-fields.ts";
import { checkPolicy, POLICY_2_9_0, POLICY_FIELDS, POLICY_SECTIONS } from "./policy.ts";

const copy = () =>
  structuredClone(POLICY_2_9_0) as unknown as Record<string, Record<string, unknown>> & { version: unknown };

describe("policy", () => {
  it("2.9.0 has the eight sections and passes its own checks", () => {
    expect(POLICY_SECTIONS).toEqual([
      "selector_top50",
      "portfolio_limits",
      "orders_execution",
      "signals_confidence",
      "cadence",
      "pretrade_filters",
      "exits",
      "providers_consensus",
    ]);
    expect(checkPolicy(JSON.parse(JSON.stringify(POLICY_2_9_0)))).toEqual({ ok: true, policy: POLICY_2_9_0 });
  });

  it.each(POLICY_FIELDS)("$section.$key: its bounds hold", ({ section, key, min, max }) => {
    const most = EARLIER_MAXIMA[`${section}.${key}`] ?? max;
    for (const outside of [min - 1, most + 1, Number.NaN, "1", null]) {
      const candidate = copy();
      candidate[section]![key] = outside;
      const result = checkPolicy(candidate);
      expect(result.ok ? [] : result.issues.map(({ path }) => path)).toContain(`${section}.${key}`);
    }
  });

  it.each(Object.entries(EARLIER_MAXIMA))(
    "%s: a version that was stored with as much as %i is read as it is",
    (path, most) => {
      const [section = "", key = ""] = path.split(".");
      const candidate = copy();
      candidate[section]![key] = most;
      expect(checkPolicy(candidate)).toMatchObject({ ok: true, policy: { [section]: { [key]: most } } });
    },
  );

  it("refuses what is missing, unknown, fractional where whole, or without a version", () => {
    const candidate = copy();
    delete candidate.exits;
    candidate.extra = {};
    candidate.selector_top50!.seats = 50.5;
    candidate.cadence!.hurry = 1;
    candidate.version = "latest" as never;
    const result = checkPolicy(candidate);
    expect(result.ok ? [] : result.issues.map(({ path }) => path).sort()).toEqual([
      "cadence.hurry",
      "exits",
      "extra",
      "selector_top50.seats",
      "version",
    ]);
    expect(checkPolicy(null).ok).toBe(false);
    expect(checkPolicy([]).ok).toBe(false);
  });

  it("passes over the fields that an earlier version had, and keeps them out", () => {
    const candidate = copy();
    candidate.orders_execution!.retry_same_id_after_window = 1;
    expect(checkPolicy(candidate)).toEqual({ ok: true, policy: POLICY_2_9_0 });
  });

  it("reads a version that was stored before a field existed as having its default", () => {
    const candidate = copy();
    for (const path of LATER_FIELDS) {
      const [section = "", key = ""] = path.split(".");
      expect(candidate[section]).toHaveProperty(key);
      delete candidate[section]![key];
    }
    expect(checkPolicy(candidate)).toEqual({ ok: true, policy: POLICY_2_9_0 });
  });

  it("refuses weights that do not add up and caps that rise as the regime worsens", () => {
    const weights = copy();
    weights.selector_top50!.weight_technical = 0.5;
    expect(checkPolicy(weights).ok).toBe(false);
    const caps = copy();
    caps.portfolio_limits!.gross_risk_off = 0.9;
    expect(checkPolicy(caps).ok).toBe(false);
  });
});
