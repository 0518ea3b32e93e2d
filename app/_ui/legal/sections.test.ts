import { expect, it } from "vitest";
import { LEGAL_SECTIONS } from "./sections.ts";

const paragraphs = LEGAL_SECTIONS.flatMap(({ clauses }) => clauses.flatMap(({ text, items = [] }) => [text, ...items]));
const numbers = new Set(
  LEGAL_SECTIONS.flatMap(({ clauses }, section) => clauses.map((_, clause) => `${section + 1}.${clause + 1}`)),
);

it("has the sections that are asked for, in their order", () => {
  expect(LEGAL_SECTIONS.map(({ title }) => title)).toEqual([
    "Investment Disclaimer",
    "Service Disclaimer",
    "Limitation of Liability",
    "Data Collection and Privacy",
    "Third-Party Services",
    "User Responsibilities",
    "Service Availability",
    "Changes to Terms",
    "Contact Information",
    "Governing Law",
    "Summary",
  ]);
});

it("refers to clauses and sections that exist", () => {
  const clauses = paragraphs.flatMap((text) => text.match(/\b\d+\.\d+\b(?!%)/g) ?? []);
  expect(clauses.length).toBeGreaterThan(10);
  for (const clause of clauses) expect(numbers, clause).toContain(clause);
  const sections = paragraphs.flatMap((text) => [...text.matchAll(/Sections? (\d+)(?: to (\d+))?/g)]);
  expect(sections.length).toBeGreaterThan(3);
  for (const [, from, to = from] of sections) expect(Number(to)).toBeLessThanOrEqual(LEGAL_SECTIONS.length);
});

it.each([
  ["3.3", "Events beyond our control."],
  ["4.1", "What we collect."],
  ["4.3", "Brokerage keys."],
  ["6.5", "Acceptable use."],
  ["7.1", "Target."],
  ["9.1", "Address."],
  ["10.2", "Talk first."],
  ["10.3", "Binding arbitration."],
  ["10.5", "CLASS ACTION WAIVER."],
  ["10.6", "JURY WAIVER."],
])("means by clause %s the one about: %s", (number, lead) => {
  const [section = 0, clause = 0] = number.split(".").map(Number);
  expect(LEGAL_SECTIONS[section - 1]?.clauses[clause - 1]?.lead).toBe(lead);
});

const clauseOf = (wanted: string) => {
  const clause = LEGAL_SECTIONS.flatMap(({ clauses }) => clauses).find(({ lead }) => lead === wanted);
  return [clause?.text, ...(clause?.items ?? [])].join(" ");
};

it.each([
  [
    "What we collect.",
    ["display name", "bio", "passkeys", "authenticator", "access tokens", "push service", "webhook"],
  ],
  ["What your browser keeps.", ["session storage", "for 90 days", "service worker", "forged requests"]],
  ["Recipients by category.", ["push service", "webhook"]],
  ["When you stop.", ["only read the account until", "for 90 days at most"]],
])("under %s leaves out nothing that is kept, read or passed on", (lead, words) => {
  expect(words.filter((word) => !clauseOf(lead).includes(word))).toEqual([]);
  expect(clauseOf("When you stop.")).not.toContain("no more");
});
