/** npm run whatif: decides recorded cycles again under their own policy and under a draft, and says what would have differed. */
import { existsSync, readFileSync } from "node:fs";
import { anyText, date, flag, id, readArguments, refuse, runCommandLine } from "@/lib/command.ts";
import type { Environment } from "@/lib/domain/enums.ts";
import { checkPolicy, type Policy } from "@/lib/domain/policy.ts";
import type { Context } from "@/lib/server/context.ts";
import { policyReader } from "@/lib/server/core/read-policy.ts";
import { compareByEnvironment } from "@/lib/server/services/policy/what-if-by-environment.ts";
import { closeSystem } from "@/lib/server/services/queue/close-system.ts";
import { systemContext } from "@/lib/server/system-context.ts";

const USE = "Usage: npm run whatif -- --policy FILE|VERSION [--from DATE] [--to DATE] [--account ID] [--json]";
const HELP = `${USE}

Decides recorded cycles again under their own policy and under a draft, and says what would have differed: live,
paper and practice money each by itself.

  --policy FILE|VERSION      the draft: a file with a policy as JSON, or a stored version
  --from DATE  --to DATE     first and last session
  --account ID               decisions of one account
  --json                     the whole reports as JSON, a list of one for each environment

Exit code 0: compared; 2: nothing was compared.
`;

const OPTIONS = {
  policy: anyText.optional(),
  from: date.optional(),
  to: date.optional(),
  account: id.optional(),
  json: flag,
};

async function readDraft(context: Context, name: string): Promise<Policy> {
  if (!existsSync(name)) {
    if ((await context.db.policyVersion.count({ where: { version: name } })) === 0)
      throw refuse(`"${name}" is neither a file nor a stored version of the policy.`);
    return policyReader(context)(name);
  }
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(name, "utf8"));
  } catch (cause) {
    if (cause instanceof SyntaxError) throw refuse(`${name} is not valid JSON.`);
    throw (cause as NodeJS.ErrnoException).code === "EISDIR" ? refuse(`${name} is a directory, not a file.`) : cause;
  }
  const checked = checkPolicy(content);
  if (checked.ok) return checked.policy;
  throw refuse(
    `${name} is not a policy:\n${checked.issues.map(({ path, message }) => `  ${path} ${message}`).join("\n")}`,
  );
}

function readOptions(args: string[]) {
  const given = readArguments(args, OPTIONS);
  if (given === null) return null;
  const { policy, from, to, account, json } = given.values;
  if (policy === undefined) throw refuse(USE);
  const scope = {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(account === undefined ? {} : { accountId: account }),
  };
  return { policy, json, scope };
}

const percent = (value: number | null) => (value === null ? "unknown" : `${(value * 100).toFixed(2)} %`);
const bps = (value: number | null) => (value === null ? "nothing traded" : `${value.toFixed(1)} bps`);
const failures = (rules: Record<string, number>) =>
  Object.entries(rules)
    .map(([rule, count]) => `${count} ${rule}`)
    .join(", ") || "none";
const beside = (label: string, recorded: string | number, draft: string | number) =>
  `  ${label.padEnd(22)}${String(recorded).padStart(18)}${String(draft).padStart(18)}`;

const NAMES: Record<Environment, string> = { LIVE: "Live", PAPER: "Paper", PRACTICE: "Practice" };

function print(report: Awaited<ReturnType<typeof compareByEnvironment>>[number]): void {
  const { environment, recorded, draft } = report;
  const versions = report.recordedVersions.join(", ");
  console.log(
    `${NAMES[environment]}: ${report.decisions} recorded decisions, policy ${versions || "none"} beside draft ${report.draftVersion}`,
  );
  for (const { path, recorded: before, draft: after } of report.changedFields)
    console.log(`  ${path}: ${before} → ${after}`);
  if (report.ofOtherEngines > 0)
    console.log(`${report.ofOtherEngines} were made by another engine; both policies are decided by this one.`);
  console.log(`decisions changed: ${report.decisionsChanged}`);
  const kinds = [
    ["entries added", report.entriesAdded],
    ["entries removed", report.entriesRemoved],
    ["sizes changed", report.sizesChanged],
    ["exits added", report.exitsAdded],
    ["exits removed", report.exitsRemoved],
  ] as const;
  for (const [name, { count, examples }] of kinds) {
    console.log(`${name}: ${count}`);
    for (const { session, symbol, recordedQty, draftQty, reason } of examples.slice(0, 10))
      console.log(`  ${session} ${symbol} ${recordedQty ?? "0"} → ${draftQty ?? "0"} (${reason})`);
    if (count > 10) console.log(`  … and ${count - 10} more`);
  }
  console.log(beside("", "recorded policy", "draft"));
  console.log(beside("entries", recorded.entries, draft.entries));
  console.log(beside("exits", recorded.exits, draft.exits));
  console.log(beside("bought, USD", recorded.bought, draft.bought));
  console.log(beside("sold, USD", recorded.sold, draft.sold));
  console.log(beside("turnover", percent(recorded.turnover), percent(draft.turnover)));
  console.log(beside("estimated costs, USD", recorded.costs, draft.costs));
  console.log(beside("of what was traded", bps(recorded.costBps), bps(draft.costBps)));
  console.log(`QA failures: recorded policy ${failures(recorded.qaFailures)}; draft ${failures(draft.qaFailures)}`);
  for (const { accountId, pnlEffect, drawdownRecorded, drawdownDraft } of report.accounts.slice(0, 10))
    console.log(
      `account ${accountId}: estimated effect ${pnlEffect} USD, drawdown ${percent(drawdownRecorded)} → ${percent(drawdownDraft)}`,
    );
  console.log("What recorded data cannot tell:");
  for (const sentence of report.unknown) console.log(`  ${sentence}`);
}

async function whatIf(
  context: Context,
  { policy, json, scope }: NonNullable<ReturnType<typeof readOptions>>,
): Promise<number> {
  const draft = await readDraft(context, policy);
  let isShown = false;
  const reports = await compareByEnvironment(context, {
    draft,
    ...scope,
    onProgress: (done, total) => {
      if (!process.stderr.isTTY || done % 50 !== 0) return;
      isShown = true;
      process.stderr.write(`\r${done} of ${total}`);
    },
  });
  if (isShown) process.stderr.write("\n");
  if (json) console.log(JSON.stringify(reports, null, 2));
  else if (reports.length === 0) console.log("No recorded decision was compared.");
  else for (const report of reports) print(report);
  // Nothing was compared: that is no answer about the draft.
  return reports.length === 0 ? 2 : 0;
}

await runCommandLine(
  HELP,
  readOptions,
  async (options) => {
    const context = systemContext("whatif");
    try {
      return await whatIf(context, options);
    } finally {
      await closeSystem(context);
    }
  },
  { failureCode: 2 },
);
