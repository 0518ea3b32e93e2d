import type { BriefFacts, HoldFacts } from "./facts.ts";
import { ACCOUNTS, LOG } from "./pages.ts";
import { counted } from "../counted.ts";
import { inQuotes, lowerFirst, quoted, sentence, type Sentence } from "./sentence-parts.ts";

const because = (reason: string | null) => (reason === null ? ["."] : [". Reason: ", ...quoted(reason), "."]);

/** What keeps the automation from buying, and orders whose outcome is open: what a person may have to act on. */
export function holdSentences({ environment, holds, unknownOrders, parkedOrders }: BriefFacts): Sentence[] {
  const named = (account: string | null) =>
    account === null ? `Your ${environment.toLowerCase()} account` : `Account ${inQuotes(account)}`;
  const sentences = holds.map((hold) => holdSentence(hold, named));
  if (unknownOrders > 0) {
    const text = `What became of ${counted(unknownOrders, "order")} is not known yet: the broker is being asked, and nothing is sent twice.`;
    sentences.push(sentence([text], [LOG]));
  }
  if (parkedOrders > 0) {
    const waits = parkedOrders === 1 ? "waits" : "wait";
    sentences.push(sentence([`${counted(parkedOrders, "order")} ${waits} for a person to decide.`], [LOG]));
  }
  return sentences;
}

function holdSentence(hold: HoldFacts, named: (account: string | null) => string): Sentence {
  switch (hold.kind) {
    case "HALTED":
      return sentence(
        [`${named(hold.account)} is halted: nothing new is sent until you resume it`, ...because(hold.reason)],
        [ACCOUNTS],
      );
    case "RESTRICTED":
      return sentence(
        [`${named(hold.account)} is restricted: ${meaning(hold.meaning)}`, ...because(hold.reason)],
        [ACCOUNTS],
      );
    case "ACCOUNT_PAUSED":
      return sentence([`${named(hold.account)} is paused: nothing new is bought in it.`], [ACCOUNTS]);
    case "ALL_RESTRICTED":
      return sentence(
        [`An administrator restricted all accounts: ${meaning(hold.meaning)}`, ...because(hold.reason)],
        [LOG],
      );
    case "PAUSED":
      return sentence(
        ["You paused the automation: nothing is bought, exits and stops keep working", ...because(hold.reason)],
        [LOG],
      );
    case "QUEUE_PAUSED":
      return sentence(
        ["An administrator paused Tradewind's work: nothing is decided, and stops stay at the broker."],
        [LOG],
      );
    case "SWITCHED_OFF":
      return sentence(
        ["Automation is switched off for everyone: nothing is bought, exits and stops keep working."],
        [LOG],
      );
  }
}

const meaning = (text: string) => lowerFirst(text).replace(/\.$/, "");

/** The same in a few words, for the headline; null where nothing holds. The gravest comes first. */
export function holdAction({ holds, accounts }: BriefFacts): string | null {
  const of = (...kinds: HoldFacts["kind"][]) => holds.filter(({ kind }) => kinds.includes(kind)).length;
  const ofAccount = (count: number, is: string) =>
    accounts === 1 ? `your account is ${is}` : `${counted(count, "account")} ${count === 1 ? "is" : "are"} ${is}`;
  const halted = of("HALTED");
  if (halted > 0) return ofAccount(halted, "halted");
  if (of("ALL_RESTRICTED") > 0) return "trading is restricted";
  const restricted = of("RESTRICTED");
  if (restricted > 0) return ofAccount(restricted, "restricted");
  if (of("PAUSED", "QUEUE_PAUSED") > 0) return "automation is paused";
  if (of("SWITCHED_OFF") > 0) return "automation is switched off";
  const paused = of("ACCOUNT_PAUSED");
  return paused > 0 ? ofAccount(paused, "paused") : null;
}
