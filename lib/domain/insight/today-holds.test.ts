import { describe, expect, it } from "vitest";
import { answer } from "@/lib/proof/example-today.ts";
import type { TodayFacts } from "./today-facts.ts";

describe("of several holds each is told, most severe first, with all that has to end before it goes on", () => {
  const restricted = { kind: "ALL_RESTRICTED" as const, meaning: "No new entries.", reason: null };
  const pausedWork =
    "An administrator paused Tradewind's work: it does not look at the market, and stops stay at the broker.";
  const pausedByOwner = "You paused the automation: nothing is bought, sales and stops keep working.";
  const haltedB = { kind: "HALTED" as const, account: "B", reason: "keys refused" };
  const pausedA = { kind: "ACCOUNT_PAUSED" as const, account: "A" };
  it.each<[string, Partial<TodayFacts>, Partial<ReturnType<typeof answer>>]>([
    [
      "an administrator's and the owner's own",
      { holds: [{ kind: "PAUSED", reason: null }, { kind: "QUEUE_PAUSED" }] },
      {
        situation: "HALTED",
        did: `${pausedWork} ${pausedByOwner}`,
        next: "It continues once an administrator lifts what holds all accounts and you resume the automation.",
        action: "RESUME",
      },
    ],
    [
      "an administrator's alone",
      { holds: [{ kind: "SWITCHED_OFF" }, { kind: "QUEUE_PAUSED" }, restricted] },
      {
        did: `An administrator restricted trading: no new entries. ${pausedWork} 1 more hold stands in the way.`,
        next: "It continues once an administrator lifts it; there is nothing for you to do.",
        action: "NONE",
      },
    ],
    [
      "one account halted, another paused",
      { accounts: 2, holds: [pausedA, haltedB], haltAdvice: "Connect its keys again." },
      {
        did: "Account “B” is halted: Tradewind sends nothing new. Reason: keys refused. Account “A” is paused: nothing is bought in it, sales and stops keep working.",
        next: "Connect its keys again. It also waits until you resume the paused account.",
        action: "RESUME_ACCOUNT",
      },
    ],
    [
      "two accounts halted",
      { accounts: 2, holds: [{ ...haltedB, account: "A" }, haltedB], haltAdvice: "Check the reason, then resume." },
      { next: "Check the reason, then resume. It also waits until each halted account is resumed." },
    ],
    [
      "a restricted account, and the automation paused",
      {
        holds: [
          { ...restricted, kind: "RESTRICTED", account: null },
          { kind: "PAUSED", reason: null },
        ],
      },
      {
        did: `Your account is restricted: no new entries. ${pausedByOwner}`,
        next: "It continues once the restriction is lifted and you resume the automation. The page of accounts says who set the restriction.",
        action: "RESUME",
      },
    ],
    [
      "a paused account under an administrator's restriction",
      { holds: [{ ...pausedA, account: null }, restricted] },
      {
        next: "It continues once an administrator lifts what holds all accounts and you resume the paused account.",
        action: "RESUME_ACCOUNT",
      },
    ],
    [
      "the automation and the only account paused",
      {
        holds: [
          { ...pausedA, account: null },
          { kind: "PAUSED", reason: null },
        ],
      },
      {
        situation: "PAUSED",
        did: `${pausedByOwner} Your account is paused: nothing is bought in it, sales and stops keep working.`,
        next: "It buys again once you resume the automation and the account.",
        action: "RESUME",
      },
    ],
    [
      "every account paused",
      { accounts: 2, holds: [pausedA, { ...pausedA, account: "B" }] },
      { situation: "PAUSED", next: "It buys in them again once you resume the accounts.", action: "RESUME_ACCOUNT" },
    ],
  ])("%s", (_, change, expected) => expect(answer(change)).toMatchObject(expected));
});
