import { boundsText, checkPolicy, POLICY_FIELDS, type Policy, type PolicyField, type PolicyIssue } from "./policy.ts";

const PATH_OF = ({ section, key }: Pick<PolicyField, "section" | "key">) => `${section}.${key}`;

const BY_PATH: ReadonlyMap<string, PolicyField> = new Map(POLICY_FIELDS.map((field) => [PATH_OF(field), field]));

/** The value of a field, by its path: "exits.trend_closes". */
export function policyValue(policy: Policy, path: string): number | null {
  const field = BY_PATH.get(path);
  return field ? ((policy[field.section] as Record<string, number>)[field.key] ?? null) : null;
}

/** Fields in which two policies differ, in the order of the table. */
export function policyDifferences(from: Policy, to: Policy): { path: string; from: number; to: number }[] {
  return POLICY_FIELDS.flatMap((field) => {
    const path = PATH_OF(field);
    const [before, after] = [policyValue(from, path), policyValue(to, path)];
    return before === null || after === null || before === after ? [] : [{ path, from: before, to: after }];
  });
}

/** The policy with some fields set; every issue stands at the field that it is about. */
export function withPolicyFields(
  policy: Policy,
  fields: Readonly<Record<string, number>>,
): { ok: true; policy: Policy } | { ok: false; issues: PolicyIssue[] } {
  const unknown = Object.keys(fields).filter((path) => !BY_PATH.has(path));
  if (unknown.length > 0) return { ok: false, issues: unknown.map((path) => ({ path, message: "is not a field" })) };
  // What is stored may lie beyond the bounds of today; nothing is moved there.
  const beyond = Object.entries(fields).flatMap(([path, value]) => {
    const field = BY_PATH.get(path)!;
    return value > field.max && value !== policyValue(policy, path) ? [{ path, message: boundsText(field) }] : [];
  });
  if (beyond.length > 0) return { ok: false, issues: beyond };
  const next = structuredClone(policy) as unknown as Record<string, Record<string, number>>;
  for (const [path, value] of Object.entries(fields)) {
    const [section = "", key = ""] = path.split(".");
    next[section] = { ...next[section], [key]: value };
  }
  return checkPolicy(next);
}

const PATCH = /^(\d+)\.(\d+)\.(\d+)$/;

/** What a part of a version may be at most: four digits. */
const MOST = 9_999;

/**
 * The next patch after the highest of these versions: "2.9.0" and "2.9.4" → "2.9.5"; after the last patch the next minor,
 * after the last minor the next major. Null after the last of all.
 */
export function nextPolicyVersion(versions: readonly string[]): string | null {
  const numbers = versions.flatMap((version) => {
    const [, major, minor, patch] = PATCH.exec(version.replace(/-.*$/, "")) ?? [];
    return major === undefined ? [] : [[Number(major), Number(minor), Number(patch)] as const];
  });
  const [major, minor, patch] = numbers.reduce(
    (highest, one) => ((one[0] - highest[0] || one[1] - highest[1] || one[2] - highest[2]) > 0 ? one : highest),
    [2, 9, -1] as const,
  );
  if (patch < MOST) return `${major}.${minor}.${patch + 1}`;
  if (minor < MOST) return `${major}.${minor + 1}.0`;
  return major < MOST ? `${major + 1}.0.0` : null;
}
