import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { briefly, failedJourneys, journeyTimes, timeSpent } from "./test-summary.mjs";

it("keeps the message, what was expected and received, and the place, without colour and in twelve lines", () => {
  const diff = Array.from({ length: 40 }, (_, index) => `\u001b[32m+ line ${index}\u001b[39m`).join("\n");
  const lines = briefly({ said: "AssertionError: expected 1 to be 2\n\n", detail: diff, at: "at a.test.ts:7" });
  expect(lines).toHaveLength(12);
  expect(lines.slice(0, 2)).toEqual(["AssertionError: expected 1 to be 2", "+ line 0"]);
  expect(lines.at(-1)).toBe("at a.test.ts:7");
});

it("names the line of the specification in which a journey failed, and one that did not run", () => {
  const error = {
    message:
      "Error: expect(locator).toBeVisible() failed\n\nLocator: getByText('x')\nExpected: visible\nReceived: hidden",
    snippet: "  6 | before\n\u001b[31m>\u001b[39m 7 |   await expect(page.getByText('x')).toBeVisible();\n  8 | after",
    location: { file: "/somewhere/e2e/logs.spec.ts", line: 7, column: 3 },
  };
  const spec = (title: string, ok: boolean, results: object[]) => ({
    ...{ file: "logs.spec.ts", line: 5, title, ok },
    tests: [{ results }],
  });
  const specs = [spec("passes", true, [{}]), spec("fails", false, [{ error }]), spec("is left out", false, [])];
  expect(failedJourneys([{ specs: [], suites: [{ specs }] }])).toEqual([
    {
      title: "logs.spec.ts:5 fails",
      lines: [
        "Error: expect(locator).toBeVisible() failed",
        "Locator: getByText('x')",
        "Expected: visible",
        "Received: hidden",
        "at logs.spec.ts:7",
        "> 7 |   await expect(page.getByText('x')).toBeVisible();",
      ],
    },
    { title: "logs.spec.ts:5 is left out", lines: ["It did not run."] },
  ]);
});

it("says what the page showed when a journey failed", () => {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "summary-")), "error-context.md");
  const page = `- main:\n  - heading "Sign in" [level=1]\n  - paragraph\n  - paragraph: Not now.\n  - button "Go"`;
  fs.writeFileSync(file, `# Error\n\`\`\`\nError: x\n\`\`\`\n\`\`\`yaml\n${page}\n\`\`\`\n`);
  const attachments = [{ name: "error-context", path: file }];
  const result = { error: { message: "Error: x" }, attachments };
  const spec = { file: "a.spec.ts", line: 1, title: "fails", ok: false, tests: [{ results: [result] }] };
  expect(failedJourneys([{ specs: [spec] }])[0]?.lines).toEqual([
    "Error: x",
    'The page showed: "Sign in" [level=1] · Not now.',
  ]);
});

it("adds up the time of each file, and names the slowest first", () => {
  const suite = (file: string, ...durations: number[]) => ({
    file,
    specs: [{ tests: [{ results: durations.map((duration) => ({ duration })) }] }],
  });
  const files = journeyTimes([
    suite("a.spec.ts", 1_000, 500),
    { ...suite("b.spec.ts", 2_000), suites: [suite("", 4_000)] },
  ]);
  expect(timeSpent(files)).toEqual([
    "8 s in tests, 0 s until the files were ready",
    "slowest: b.spec.ts 6 s, a.spec.ts 2 s",
  ]);
});
