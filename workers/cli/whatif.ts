/**
 * npm run whatif -- --policy FILE|VERSION [--from DATE] [--to DATE] [--account ID] [--json]
 * Decides recorded cycles again under their own policy and under a draft, and says what would have differed.
 */
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { checkPolicy, type Policy } from "@/lib/domain/policy.ts";
import { countDecisions } from "@/lib/server/services/cycles/read-decisions.ts";
import { policyReader } from "@/lib/server/core/read-policy.ts";
import { compareUnderPolicies, type WhatIfReport } from "@/lib/server/services/policy/what-if.ts";
import { closeSystem } from "@/lib/server/services/queue/close-system.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { commandFailure } from "./command-failure.ts";
import { isDate } from "./tape/is-date.ts";

const USE = "Use: npm run whatif -- --policy FILE|VERSION [--from DATE] [--to DATE] [--account ID] [--json]";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function readDraft(name: string): Promise<Policy> {
  if (!existsSync(name)) return policyReader(context)(name);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(name, "utf8"));
  } catch (cause) {
    throw cause instanceof SyntaxError ? new Error(`${name} is not valid JSON.`, { cause }) : cause;
  }
  const checked = checkPolicy(content);
  if (checked.ok) return checked.policy;
  throw new Error(
    `${name} is not a policy:\n${checked.issues.map(({ path, message }) => `  ${path} ${message}`).join("\n")}`,
  );
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      policy: { type: "string" },
      from: { type: "string" },
      to: { type: "string" },
      account: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const { policy, from, to, account, json } = values;
  if (policy === undefined) throw new Error(USE);
  if (account !== undefined && !UUID.test(account)) throw new Error(`${account} is not an id. ${USE}`);
  for (const date of [from, to])
    if (date !== undefined && !isDate(date)) throw new Error(`${date} is not a date like 2020-02-03. ${USE}`);
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

function print(report: WhatIfReport): void {
  const { recorded, draft } = report;
  const versions = report.recordedVersions.join(", ");
  console.log(
    `${report.decisions} recorded decisions, policy ${versions || "none"} beside draft ${report.draftVersion}`,
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

const context = systemContext("whatif");
try {
  const { policy, json, scope } = readOptions();
  const draft = await readDraft(policy);
  const total = await countDecisions(context, scope);
  const isShown = process.stderr.isTTY && total >= 50;
  const report = await compareUnderPolicies(context, {
    draft,
    ...scope,
    onProgress: (done) => {
      if (isShown && done % 50 === 0) process.stderr.write(`\r${done} of ${total}`);
    },
  });
  if (isShown) process.stderr.write("\n");
  if (json) console.log(JSON.stringify(report, null, 2));
  else print(report);
  // Nothing was compared: that is no answer about the draft.
  process.exitCode = report.decisions === 0 ? 2 : 0;
} catch (error) {
  const { said } = commandFailure(error);
  console.error(said instanceof Error ? said.message : said);
  process.exitCode = 2;
} finally {
  await closeSystem(context);
}
