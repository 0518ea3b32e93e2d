import type { TapeReport } from "./check.ts";

/** The report as a table, then what was found. */
export function reportText({ contents, findings }: TapeReport): string {
  const width = Math.max(...contents.map(([name]) => name.length));
  const lines = contents.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  for (const { level, place, rule, count, examples } of findings) {
    lines.push("", `${level.toUpperCase()}  ${place}: not everywhere "${rule}" (${count.toLocaleString("en-US")})`);
    for (const example of examples) lines.push(`    ${example}`);
    if (count > examples.length) lines.push("    …");
  }
  const errors = findings.filter(({ level }) => level === "error").length;
  const warnings = findings.length - errors;
  lines.push(
    "",
    errors === 0
      ? `The tape is sound (warnings: ${warnings}).`
      : `The tape is NOT sound: ${errors} errors, ${warnings} warnings.`,
  );
  return lines.join("\n");
}
