import type { z } from "zod";
import type { Endpoint, Received } from "@/lib/contracts/endpoint.ts";
import { Failure, type FieldIssue } from "@/lib/domain/failures.ts";

/** The input as the contract promises it, or 400 with every field that is wrong; the first is the sentence. */
export function parseInput<E extends Endpoint>(endpoint: E, input: object): Received<E> {
  const parsed = endpoint.input.safeParse(input, { error: plainly });
  if (parsed.success) return parsed.data as Received<E>;
  const issues = parsed.error.issues.flatMap(toIssues);
  throw new Failure("invalid_input", issues[0]?.message ?? "Invalid request. Please check your input.", { issues });
}

/** For fields whose schema has no sentence of its own. */
function plainly(issue: z.core.$ZodRawIssue): string | undefined {
  const path = (issue.path ?? []).join(".");
  const field = path === "" ? "The input" : `"${path}"`;
  const isMissing = issue.input === undefined;
  switch (issue.code) {
    case "invalid_type":
      return isMissing ? `${field} is required.` : `${field} must be ${TYPES[issue.expected] ?? "of another kind"}.`;
    case "invalid_value": {
      const values = issue.values.map(String);
      if (isMissing) return `${field} is required.`;
      return values.length === 1 ? `${field} must be ${values[0]}.` : `${field} must be one of ${values.join(", ")}.`;
    }
    case "too_big":
      return `${field} must be ${sizeText(issue.maximum, issue.origin)} or less.`;
    case "too_small":
      return `${field} must be ${sizeText(issue.minimum, issue.origin)} or more.`;
    case "invalid_format":
      return `${field} does not have the form that it must have.`;
    default:
      return undefined;
  }
}

const TYPES: Partial<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
const UNITS: Partial<Record<string, string>> = { string: " characters", array: " entries" };
const sizeText = (size: number | bigint, origin: string) =>
  `${Number(size).toLocaleString("en-US")}${UNITS[origin] ?? ""}`;

function toIssues(issue: z.core.$ZodIssue): FieldIssue[] {
  const path = issue.path.map(String);
  // A field of several types has a sentence of its own.
  const isOfForms = issue.code === "invalid_union" && path.length === 0 && issue.errors.length > 0;
  if (isOfForms) return nearestForm(issue.errors).flatMap(toIssues);
  if (issue.code !== "unrecognized_keys") return [{ path: path.join("."), message: issue.message }];
  return issue.keys.map((name) => ({ path: [...path, name].join("."), message: `Unknown field: ${name}.` }));
}

/** Of the forms of a union, the one that was probably meant: all its fields are known, else it has the fewest faults. */
function nearestForm(forms: z.core.$ZodIssue[][]): z.core.$ZodIssue[] {
  const unknownFields = (issues: z.core.$ZodIssue[]) =>
    issues.filter(({ code }) => code === "unrecognized_keys").length;
  return [...forms].sort((a, b) => unknownFields(a) - unknownFields(b) || a.length - b.length)[0] ?? [];
}
