import type { HoldFacts } from "./facts.ts";
import { counted } from "../counted.ts";
import { inQuotes, listed, lowerFirst, quoted, type Part } from "./sentence-parts.ts";
import type { TodayFacts } from "./today-facts.ts";

type Pieces = (string | Part)[];
type Kind = HoldFacts["kind"];

const GRAVEST_FIRST: readonly Kind[] = [
  "HALTED",
  "ALL_RESTRICTED",
  "RESTRICTED",
  "QUEUE_PAUSED",
  "SWITCHED_OFF",
  "PAUSED",
  "ACCOUNT_PAUSED",
];

/** More holds than these are told by their number. */
const SHOWN_MAX = 2;

/** What holds everything, each in words of its own, most severe first. */
export function holdsPieces({ holds }: Pick<TodayFacts, "holds">): Pieces {
  const ordered = holds.toSorted((a, b) => GRAVEST_FIRST.indexOf(a.kind) - GRAVEST_FIRST.indexOf(b.kind));
  const shown = ordered.slice(0, SHOWN_MAX);
  const left = ordered.length - shown.length;
  return [
    ...shown.flatMap((hold, index) => [index === 0 ? "" : " ", ...holdPieces(hold)]),
    left === 0 ? "" : ` ${counted(left, "more hold")} ${left === 1 ? "stands" : "stand"} in the way.`,
  ];
}

const because = (reason: string | null): Pieces => (reason === null ? ["."] : [". Reason: ", ...quoted(reason), "."]);
const named = (account: string | null) => (account === null ? "Your account" : `Account ${inQuotes(account)}`);
const meaningOf = (text: string) => lowerFirst(text).replace(/\.$/, "");

function holdPieces(hold: HoldFacts): Pieces {
  switch (hold.kind) {
    case "HALTED":
      return [`${named(hold.account)} is halted: Tradewind sends nothing new`, ...because(hold.reason)];
    case "RESTRICTED":
      return [`${named(hold.account)} is restricted: ${meaningOf(hold.meaning)}`, ...because(hold.reason)];
    case "ALL_RESTRICTED":
      return [`An administrator restricted trading: ${meaningOf(hold.meaning)}`, ...because(hold.reason)];
    case "ACCOUNT_PAUSED":
      return [`${named(hold.account)} is paused: nothing is bought in it, sales and stops keep working.`];
    case "PAUSED":
      return ["You paused the automation: nothing is bought, sales and stops keep working", ...because(hold.reason)];
    case "QUEUE_PAUSED":
      return [
        "An administrator paused Tradewind's work: it does not look at the market, and stops stay at the broker.",
      ];
    case "SWITCHED_OFF":
      return ["Automation is switched off for everyone: nothing is bought, sales and stops keep working."];
  }
}

const isAdministrators = (kind: Kind) =>
  kind === "ALL_RESTRICTED" || kind === "QUEUE_PAUSED" || kind === "SWITCHED_OFF";

/** All that has to end before a halted or restricted account goes on, and who can end it. */
export function haltedText({ holds, haltAdvice }: Pick<TodayFacts, "holds" | "haltAdvice">): string {
  const count = (kind: Kind) => holds.filter((hold) => hold.kind === kind).length;
  const halted = count("HALTED");
  const advice = halted > 0 ? (haltAdvice ?? "It continues once you resume the account.") : null;
  const isRestricted = count("RESTRICTED") > 0;
  const paused = count("ACCOUNT_PAUSED");
  const ends = [
    ...(halted > 1 ? ["each halted account is resumed"] : []),
    ...(holds.some(({ kind }) => isAdministrators(kind)) ? ["an administrator lifts what holds all accounts"] : []),
    ...(isRestricted ? ["the restriction is lifted"] : []),
    ...(count("PAUSED") > 0 ? ["you resume the automation"] : []),
    ...(paused > 0 ? [`you resume the paused ${paused === 1 ? "account" : "accounts"}`] : []),
  ];
  if (holds.every(({ kind }) => isAdministrators(kind)))
    return "It continues once an administrator lifts it; there is nothing for you to do.";
  const until =
    ends.length === 0 ? [] : [`${advice === null ? "It continues once" : "It also waits until"} ${listed(ends)}.`];
  const page = isRestricted ? ["The page of accounts says who set the restriction."] : [];
  return [...(advice === null ? [] : [advice]), ...until, ...page].join(" ");
}

/** What its owner resumes so that it buys again. */
export function pausedText({ holds, accounts }: Pick<TodayFacts, "holds" | "accounts">): string {
  const paused = holds.filter(({ kind }) => kind === "ACCOUNT_PAUSED").length;
  const own = accounts === 1 ? "the account" : "the accounts";
  if (!holds.some(({ kind }) => kind === "PAUSED"))
    return `It buys in ${accounts === 1 ? "it" : "them"} again once you resume ${own}`;
  return `It buys again once you resume${paused === accounts ? ` the automation and ${own}` : ""}`;
}
