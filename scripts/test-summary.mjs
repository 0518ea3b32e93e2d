// What the end of a run tells of its tests: what a failed one said, in the few lines that name its cause, and where the time went.
import fs from "node:fs";
import { stripVTControlCharacters } from "node:util";

const LINES_MAX = 12;
const COLUMNS_MAX = 240;

const linesOf = (text) =>
  stripVTControlCharacters(text)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => line.slice(0, COLUMNS_MAX));

/** The message, then what was expected and received, then the place, which is always there. */
export function briefly({ said, detail = "", at = "" }) {
  const place = linesOf(at);
  return [...linesOf(said), ...linesOf(detail)].slice(0, LINES_MAX - place.length).concat(place);
}

/** Every test of Playwright's report that did not pass. */
export function failedJourneys(suites) {
  return suites.flatMap((suite) => [
    ...failedJourneys(suite.suites ?? []),
    ...suite.specs.filter((spec) => !spec.ok).map(failedJourney),
  ]);
}

function failedJourney({ file, line, title, tests }) {
  const result = tests.flatMap((test) => test.results).find(({ error }) => error);
  if (result === undefined) return { title: `${file}:${line} ${title}`, lines: ["It did not run."] };
  const { error, attachments = [] } = result;
  const struck = linesOf(error.snippet ?? "").find((source) => source.startsWith(">"));
  const place = error.location ? `at ${error.location.file.split("/").at(-1)}:${error.location.line}` : "";
  const said = error.message ?? error.value ?? "";
  const shown = shownPage(attachments.find(({ name }) => name === "error-context")?.path);
  return { title: `${file}:${line} ${title}`, lines: briefly({ said, at: [shown, place, struck ?? ""].join("\n") }) };
}

/** Headings and texts of the page that Playwright found when the journey failed, in one line. */
function shownPage(file) {
  if (file === undefined || !fs.existsSync(file)) return "";
  const snapshot = fs.readFileSync(file, "utf8").split("```yaml").at(-1);
  const texts = [...snapshot.matchAll(/- (?:heading|status|alert|dialog|paragraph|text)\b:? ?(\S.*)/g)].map(
    ([, text]) => text,
  );
  return `The page showed: ${texts.join(" · ") || "no text"}`;
}

const s = (ms) => `${Math.round(ms / 1000)} s`;
const total = (files, part) => files.reduce((sum, file) => sum + (file[part] ?? 0), 0);

/** Where the time of a stage went: in its tests, in the start of its files, and in the slowest of them. */
export function timeSpent(files, shown = 6) {
  const slowest = [...files].sort((a, b) => b.ms - a.ms).slice(0, shown);
  return [
    `${s(total(files, "ms"))} in tests, ${s(total(files, "startMs"))} until the files were ready`,
    `slowest: ${slowest.map(({ file, ms }) => `${file} ${s(ms)}`).join(", ")}`,
  ];
}

/** The time of every file of Playwright's report. */
export function journeyTimes(suites) {
  const resultsIn = (suite) => [
    ...(suite.suites ?? []).flatMap(resultsIn),
    ...suite.specs.flatMap((spec) => spec.tests).flatMap((test) => test.results),
  ];
  return suites.map((suite) => ({ file: suite.file, ms: total(resultsIn(suite), "duration") }));
}
