/** The command line of every command: options are read by one rule, and a wrong one is refused with one sentence. */
import { parseArgs } from "node:util";
import * as z from "zod";
import { Failure } from "@/lib/domain/failures.ts";
import { isDecimalText, money, text } from "@/lib/domain/money.ts";

/** Options by their names on the command line. A boolean takes no value, a list may be given more than once. */
export type Options = Record<string, z.ZodType>;
type Read<O extends Options> = z.output<z.ZodObject<O>>;

export const refuse = (sentence: string) => new Failure("invalid_input", sentence);

/** A value in one form: `is` says which, in the words of the sentence that refuses another one. */
function valueOf<T>(is: string, read: (given: string) => T | null) {
  return z.string().transform((given, context): T => {
    const value = read(given);
    if (value !== null) return value;
    context.addIssue({ code: "custom", message: `is ${is}, not "${given}".` });
    return z.NEVER;
  });
}

export const anyText = z.string();
export const flag = z.boolean().default(false);

export const wholeNumber = (least: number, most = 999_999_999) =>
  valueOf(`a whole number from ${least} ${most === 999_999_999 ? "on" : `to ${most}`}`, (given) => {
    const number = Number(given);
    return /^\d{1,10}$/.test(given) && number >= least && number <= most ? number : null;
  });

export const positiveNumber = valueOf("a number above 0", (given) => {
  const number = Number(given);
  return given.trim() !== "" && Number.isFinite(number) && number > 0 ? number : null;
});

export const fraction = valueOf("a number from 0 to 1", (given) => {
  const number = Number(given);
  return given.trim() !== "" && number >= 0 && number <= 1 ? number : null;
});

/** As exact decimal text. */
export const positiveMoney = valueOf("a positive number of USD", (given) =>
  isDecimalText(given) && money(given).gt(0) ? text(given) : null,
);

export const percentage = (most: number) =>
  valueOf(`a percentage above 0 and at most ${most}`, (given) =>
    isDecimalText(given) && money(given).gt(0) && money(given).lte(most) ? text(given) : null,
  );

/** In hundredths of a percent. */
export const shareOfWhole = valueOf("a percentage from 0 to 100 with at most two decimals", (given) =>
  /^\d{1,3}(\.\d{1,2})?$/.test(given) && Number(given) <= 100 ? Math.round(Number(given) * 100) : null,
);

export const oneOf = <T extends string>(allowed: readonly T[]) =>
  valueOf(
    `one of ${allowed.join(", ")}`,
    (given) => allowed.find((candidate) => candidate.toLowerCase() === given.toLowerCase()) ?? null,
  );

/** True for a calendar day such as 2020-01-31, in the years for which the exchange's calendar can be asked. */
export function isDate(given: string): boolean {
  if (!/^(19[5-9]|20\d)\d-\d{2}-\d{2}$/.test(given)) return false;
  const time = Date.parse(`${given}T00:00:00.000Z`);
  // 30 February parses as 1 March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(given);
}

export const date = valueOf("a date like 2020-01-31", (given) => (isDate(given) ? given : null));

export const id = valueOf("an id", (given) => (z.uuid().safeParse(given).success ? given : null));

/** What an option takes, below its default and its absence. */
function innermost(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? innermost(schema.unwrap() as z.ZodType)
    : schema;
}

/** The options that were given, as text; `positionals` are what stands between them. */
function given(args: readonly string[], options: Options): { values: Record<string, unknown>; positionals: string[] } {
  const isFlag = (name: string) => innermost(options[name] as z.ZodType) instanceof z.ZodBoolean;
  const isList = (name: string) => innermost(options[name] as z.ZodType) instanceof z.ZodArray;
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.keys(options).map((name) => [name, { type: isFlag(name) ? ("boolean" as const) : ("string" as const) }]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values: Record<string, unknown> = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") {
      positionals.push(token.value);
      continue;
    }
    const { name, rawName, value } = token;
    if (!Object.hasOwn(options, name)) throw refuse(`There is no option ${rawName}. See --help.`);
    if (isFlag(name)) {
      if (value !== undefined) throw refuse(`--${name} takes no value. See --help.`);
      values[name] = true;
    } else if (value === undefined || value === "") throw refuse(`--${name} needs a value. See --help.`);
    else if (isList(name)) values[name] = [...((values[name] as string[] | undefined) ?? []), value];
    else if (Object.hasOwn(values, name)) throw refuse(`--${name} is given twice.`);
    else values[name] = value;
  }
  return { values, positionals };
}

/** What a command line asks for, checked; null where it asks for help, which wins over everything else. */
export function readArguments<O extends Options>(
  args: readonly string[],
  options: O,
  maxPositionals = 0,
): { values: Read<O>; positionals: string[] } | null {
  if (args.includes("--help") || args.includes("-h")) return null;
  const { values, positionals } = given(args, options);
  const stray = positionals[maxPositionals];
  if (stray !== undefined) throw refuse(`"${stray}" is not an option. See --help.`);
  const checked = z.object(options).safeParse(values);
  if (checked.success) return { values: checked.data, positionals };
  const [issue] = checked.error.issues;
  const name = String(issue?.path[0]);
  throw refuse(Object.hasOwn(values, name) ? `--${name} ${issue?.message}` : `--${name} is missing. See --help.`);
}

/** What the system says of a path that cannot be used, by its code. */
const PATH_FAULTS: Record<string, string> = {
  ENOENT: "does not exist",
  EACCES: "cannot be used: permission is denied",
  EPERM: "cannot be used: permission is denied",
  EROFS: "cannot be written: the file system is read-only",
  EISDIR: "is a directory, not a file",
  ENOTDIR: "is not a directory",
  EEXIST: "exists and is not a directory",
  ENAMETOOLONG: "has too long a name",
};

/** What a command says of an error, and its exit code: 2 for a wrong input, in one sentence; 1 for everything else, with its stack. */
export function commandFailure(error: unknown): { said: unknown; code: 1 | 2 } {
  if (error instanceof Failure)
    return { said: error.issues?.[0]?.message ?? error.message, code: error.code === "invalid_input" ? 2 : 1 };
  if (error instanceof z.ZodError) return { said: error.issues[0]?.message, code: 2 };
  const { code, path } = (error instanceof Error ? error : {}) as NodeJS.ErrnoException;
  const fault = PATH_FAULTS[code ?? ""];
  return fault === undefined || path === undefined ? { said: error, code: 1 } : { said: `${path} ${fault}.`, code: 2 };
}

/** Runs a command: prints its help where it is asked for, and ends with the exit code that the work answers; 2 where the command line is wrong. */
export async function runCommandLine<C>(
  help: string,
  read: (args: string[]) => C | null,
  work: (command: C) => Promise<number>,
  { failureCode }: { failureCode?: number } = {},
): Promise<void> {
  try {
    const command = read(process.argv.slice(2));
    if (command === null) console.log(help);
    else process.exitCode = await work(command);
  } catch (error) {
    const { said, code } = commandFailure(error);
    console.error(said);
    process.exitCode = failureCode ?? code;
  }
}
