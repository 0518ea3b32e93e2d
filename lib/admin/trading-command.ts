import { emailIn } from "@/lib/contracts/codecs.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { KILL_STATE_TEXT } from "@/lib/domain/kill-state-text.ts";
import { moneyText } from "@/lib/domain/format.ts";
import { shareText } from "@/lib/domain/canary.ts";
import { ORDER_PROTOCOL } from "@/lib/domain/protocol/settings.ts";
import type { Context } from "@/lib/server/context.ts";
import { readStops, type Stops } from "@/lib/server/services/automation/read-stops.ts";
import { resolveParked } from "@/lib/server/services/automation/resolve-parked.ts";
import { resumeAccount } from "@/lib/server/services/automation/resume-account.ts";
import { setAccountKillState, setSystemKillState } from "@/lib/server/services/automation/set-kill-state.ts";
import { setSymbolStop } from "@/lib/server/services/automation/set-symbol-stop.ts";
import { setUserKillState } from "@/lib/server/services/automation/set-user-kill-state.ts";
import { acceptBuild } from "@/lib/server/services/orders/order-protocol.ts";
import { setCanaryShare } from "@/lib/server/services/schedule/set-canary-share.ts";
import { readCanary } from "@/lib/server/services/system/read-canary.ts";
import { describeCanary } from "./describe-canary.ts";
import type { BooksCommand } from "./read-books.ts";
import type { Command } from "./read-command.ts";

type TradingCommand = Exclude<
  Command,
  BooksCommand | { kind: "person" | "remove-second-factor" | "verify-audit" | "audit-key" | "reseal" }
>;

/** Does what was asked and answers the lines to print. */
export async function runTradingCommand(context: Context, command: TradingCommand): Promise<string[]> {
  switch (command.kind) {
    case "stops":
      return describeStops(await readStops(context));
    case "kill": {
      const { killState, reason, target } = command;
      const { isChanged } =
        target === "all"
          ? await setSystemKillState(context, { killState, reason })
          : await setAccountKillState(context, { id: target.accountId, killState, reason });
      const whom = target === "all" ? "every account" : `account ${target.accountId}`;
      return isChanged
        ? [`${killState} for ${whom}. ${KILL_STATE_TEXT[killState]}`]
        : [`Nothing to do: ${killState} is in force for ${whom} already.`];
    }
    case "kill-user":
      return killUser(context, command);
    case "kill-symbol":
      return killSymbol(context, command);
    case "accept-build": {
      const before = await acceptBuild(context, command);
      return [
        before > ORDER_PROTOCOL
          ? `This build sends orders again (order protocol ${ORDER_PROTOCOL}; it was ${before}).`
          : `Nothing to do: this build's order protocol ${ORDER_PROTOCOL} is the newest.`,
      ];
    }
    case "canary": {
      const { change } = command;
      const before = change === null ? null : await setCanaryShare(context, change);
      const said =
        before === change?.share ? "Nothing to do: the share stands." : `The share was ${shareText(before ?? 0)}.`;
      return [...(change === null ? [] : [said]), ...describeCanary(await readCanary(context))];
    }
    case "resume": {
      const { accountId, reason, resetMark } = command;
      const { isResumed, highWaterMark, isDrawdownHaltLifted } = await resumeAccount(context, {
        id: accountId,
        reason,
        resetMark,
      });
      const account = await context.db.account.findUniqueOrThrow({ where: { id: accountId } });
      return [
        isResumed ? `Account ${accountId} is resumed.` : `Account ${accountId} was not halted.`,
        ...(highWaterMark === null ? [] : [`Drawdown is now measured from ${moneyText(Number(highWaterMark))}.`]),
        ...(isDrawdownHaltLifted ? ["The stop after the drawdown is lifted."] : []),
        ...(account.killState === "NONE"
          ? []
          : [
              `Its kill state is still ${account.killState}: lift it with "kill none --account ${accountId} --reason ...".`,
            ]),
      ];
    }
    case "resolve": {
      const { status, order } = await resolveParked(context, command);
      const what = {
        ours: "The broker's order counts as Tradewind's",
        external: "The broker's order stays as an external one",
        none: "The broker never had it",
      };
      return [`${command.clientOrderId} is resolved. ${what[order]}; the decision is ${status}.`];
    }
  }
}

async function killUser(
  context: Context,
  { email, killState, reason }: Extract<Command, { kind: "kill-user" }>,
): Promise<string[]> {
  const user = await context.db.user.findUnique({ where: { email: emailIn.parse(email) }, select: { id: true } });
  if (user === null) throw new Failure("not_found", "User not found.");
  const { isChanged } = await setUserKillState(context, { userId: user.id, killState, reason });
  return isChanged
    ? [`${killState} for every account of ${email}. ${KILL_STATE_TEXT[killState]}`]
    : [`Nothing to do: ${killState} is in force for ${email} already.`];
}

async function killSymbol(
  context: Context,
  { market, symbol, isStop, reason }: Extract<Command, { kind: "kill-symbol" }>,
): Promise<string[]> {
  const killState = isStop ? "REDUCE_ONLY" : "NONE";
  const { isChanged } = await setSymbolStop(context, { market, symbol, killState, reason });
  if (!isChanged) return [`Nothing to do: ${symbol} (${market}) is ${isStop ? "stopped already" : "not stopped"}.`];
  return [isStop ? `${symbol} (${market}) is bought in no account.` : `${symbol} (${market}) may be bought again.`];
}

const moreOf = (count: number, what: string) => (count === 0 ? [] : [`… and ${count} more ${what}`]);

function describeStops({ system, users, symbols, workerBeatAt, accounts, orders, more, ...rest }: Stops): string[] {
  return [
    `System: ${system.killState}${system.killReason === null ? "" : ` (${system.killReason})`}`,
    `Queue: ${rest.isQueueActive ? "active" : "PAUSED by an administrator"}`,
    `Automation: ${rest.isAutomationOn ? "on" : "OFF (the flag automation_enabled): exits and stops keep working"}`,
    `Users: automation paused for ${rest.pausedUsers}, disabled ${rest.disabledUsers}`,
    `Worker: ${workerBeatAt === null ? "never ran" : `last heartbeat ${workerBeatAt.toISOString()}`}`,
    ...users.map(
      ({ id, email, killState, killReason }) =>
        `User ${id} (${email}): ${killState}${killReason === null ? "" : `: ${killReason}`}`,
    ),
    ...moreOf(more.users, "stopped users"),
    ...symbols.map(
      ({ market, symbol, reason }) =>
        `Symbol ${symbol} (${market}): REDUCE_ONLY${reason === null ? "" : `: ${reason}`}`,
    ),
    ...moreOf(more.symbols, "stopped symbols"),
    ...(accounts.length === 0 ? ["No account is stopped or halted."] : []),
    ...accounts.flatMap(({ id, owner, name, killState, killSource, killReason, haltReason }) => [
      `Account ${id} (${owner}${name === null ? "" : `, ${name}`})`,
      ...(killState === "NONE"
        ? []
        : [
            `  ${killState}${killSource === null ? "" : `, set by ${killSource}`}${killReason === null ? "" : `: ${killReason}`}`,
          ]),
      ...(haltReason === null ? [] : [`  HALTED: ${haltReason}`]),
    ]),
    ...moreOf(more.accounts, "stopped or halted accounts"),
    ...(orders.length === 0 ? ["No order is asked for or parked."] : []),
    ...orders.map(
      ({ clientOrderId, accountId, what, status, why, needsPerson }) =>
        `Order ${clientOrderId}: ${what}, ${status}${needsPerson ? ", waits for an administrator" : ""}, account ${accountId}${why === null ? "" : `: ${why}`}`,
    ),
    ...moreOf(more.orders, "orders"),
  ];
}
