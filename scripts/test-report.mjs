// A reporter of Vitest: how many tests passed, and what each other one said, into the file TEST_REPORT.
import fs from "node:fs";
import path from "node:path";
import { briefly } from "./test-summary.mjs";

const named = (file) => path.relative(process.cwd(), file);

function textOf({ name = "Error", message = "", diff, stacks = [] }) {
  const place = stacks.find(({ file }) => !file.includes("node_modules")) ?? stacks[0];
  const at = place && `at ${named(place.file)}:${place.line}`;
  return { said: `${name}: ${message}`, detail: diff ?? "", at: at ?? "" };
}

const entry = (title, errors) => {
  const [error] = errors;
  return { title, lines: error ? briefly(textOf(error)) : ["It did not run."] };
};

export default class {
  onTestRunEnd(modules, unhandled) {
    const report = { passed: 0, failed: 0, failures: [], files: [] };
    for (const each of modules) {
      const file = named(each.moduleId);
      const { duration, collectDuration, setupDuration, prepareDuration } = each.diagnostic();
      report.files.push({ file, ms: duration, startMs: collectDuration + setupDuration + prepareDuration });
      const tests = [...each.children.allTests()];
      const others = tests.filter((test) => test.result().state !== "passed");
      report.passed += tests.length - others.length;
      // A skipped test proves nothing: it counts as failed, as does a file without tests.
      report.failed += others.length || (tests.length === 0 ? 1 : 0);
      const broken = [each, ...each.children.allSuites()].filter((part) => part.errors().length > 0);
      report.failures.push(
        ...broken.map((part) => entry(part === each ? file : `${file} ${part.fullName}`, part.errors())),
        ...others.map((test) => entry(`${file} ${test.fullName}`, test.result().errors ?? [])),
      );
    }
    report.failures.push(...unhandled.map((error) => entry("outside of a test", [error])));
    fs.writeFileSync(process.env.TEST_REPORT, JSON.stringify(report));
  }
}
