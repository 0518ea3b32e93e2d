import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

const JOBS = "lib/contracts/jobs.ts";
const DOORS = "workers/doors.ts";
/** The compiler takes seconds where nothing else runs. */
const PATIENCE_MS = 180_000;
/** What the type of the doors depends on. Everything else stays unresolved, so that the check takes a second. */
const RESOLVED = /^zod$|contracts\/(job|jobs)\.ts$|^\.\/job\.ts$|jobs\/define-job\.ts$/;

/** What was parsed for one program and reads the same for the next. */
const parsed = new Map<string, ts.SourceFile>();

/** What the compiler says of the doors, when files read as given; imports that stay unresolved are left out. */
function faultsOfDoors(changed: Record<string, string>): string[] {
  const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile) as { config: { compilerOptions: object } };
  const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, types: [] }, process.cwd());
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile.bind(host);
  const overlay = new Map(Object.entries(changed).map(([file, text]) => [path.resolve(file), text]));
  host.readFile = (file) => overlay.get(path.resolve(file)) ?? readFile(file);
  host.getSourceFile = (file, languageVersion) => {
    const text = host.readFile(file);
    if (text === undefined) return undefined;
    const known = parsed.get(file);
    if (known?.text === text) return known;
    const source = ts.createSourceFile(file, text, languageVersion);
    parsed.set(file, source);
    return source;
  };
  host.resolveModuleNameLiterals = (names, from) =>
    names.map(({ text }) => {
      const isWanted =
        RESOLVED.test(text) || from.includes("/zod/") || overlay.has(path.resolve(text.replace("@/", "")));
      return isWanted
        ? ts.resolveModuleName(text, from, options, {
            ...host,
            fileExists: (file) => overlay.has(file) || ts.sys.fileExists(file),
          })
        : { resolvedModule: undefined };
    });
  const program = ts.createProgram([path.resolve(DOORS)], options, host);
  const CANNOT_FIND_MODULE = 2307;
  return program
    .getSemanticDiagnostics(program.getSourceFile(path.resolve(DOORS)))
    .filter(({ code }) => code !== CANNOT_FIND_MODULE)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

const put = (file: string, before: string, added: string) => {
  const text = readFileSync(file, "utf8");
  expect(text.split(before)).toHaveLength(2);
  return text.replace(before, `${added}\n${before}`);
};
const declared = put(
  JOBS,
  "  /** Look at the market once",
  '  newJob: job({ name: "new-job", ...ofAll, priority: 9, attempts: 1, concurrency: 1 }),',
);

it(
  "a job that is declared and has no door does not compile",
  () => {
    expect(faultsOfDoors({})).toEqual([]);
    const faults = faultsOfDoors({ [JOBS]: declared });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain("'newJob'");
  },
  PATIENCE_MS,
);

it(
  "a new job costs three files: its contract, its service and its door",
  () => {
    const service = "lib/server/services/new-job/do-it.ts";
    const door = put(DOORS, "} satisfies", "  newJob: defineJob(jobs.newJob, doIt),");
    const change = {
      [JOBS]: declared,
      [service]: "export const doIt = async (_context: unknown, _input: Record<string, never>) => Promise.resolve();",
      [DOORS]: `import { doIt } from "@/${service}";\n${door}`,
    };
    expect(faultsOfDoors(change)).toEqual([]);
    expect(Object.keys(change)).toHaveLength(3);
  },
  PATIENCE_MS,
);
