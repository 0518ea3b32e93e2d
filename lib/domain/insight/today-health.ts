import { ACCOUNTS, eachOrAll, LOG, POSITIONS, symbolPage } from "./pages.ts";
import { counted } from "../counted.ts";
import { type Cite, listed, sentence, type Sentence, upperFirst } from "./sentence-parts.ts";
import type { LeftFacts, TodayFacts } from "./today-facts.ts";
import { missingSource, type Situation } from "./today-situation.ts";

/** Whether anything is wrong, and what is safe. */
export function healthOf(facts: TodayFacts, situation: Situation): { isWrong: boolean; sentence: Sentence } {
  const wrongs = wrongsOf(facts);
  const { text, cite } = safetyOf(facts);
  const [first, ...others] = wrongs;
  if (first !== undefined) {
    const shown = [first, ...others].slice(0, 2);
    return {
      isWrong: true,
      sentence: sentence(
        [shown.map((wrong) => wrong.text).join(" ")],
        [...first.cites, ...others.flatMap(({ cites }) => cites)],
      ),
    };
  }
  if (situation === "HALTED" || situation === "SOURCE_MISSING")
    return {
      isWrong: true,
      sentence: sentence(
        [facts.positions.length === 0 ? `${upperFirst(text)}.` : `${safeWords(facts)}: ${text}.`],
        [cite],
      ),
    };
  return { isWrong: false, sentence: sentence([`Nothing is wrong: ${text}.`], [cite]) };
}

/** Of a broker that does not answer only its last word is known. */
const safeWords = (facts: TodayFacts) =>
  missingSource(facts) === "BROKER" ? "As the broker last answered, what is held is safe" : "What is held is safe";

interface Safety {
  text: string;
  cite: Cite;
}

/** Nothing is known of shares whose account is no longer read: they may be sold, or still be there. */
function leftText({ accounts, positions, unreadAccounts }: LeftFacts): string | null {
  const isOne = positions.length === 1;
  const at = accounts === 1 ? "a deleted account" : "deleted accounts";
  const kept = `${counted(positions.length, "position")} of ${at} ${isOne ? "is" : "are"} still at ${accounts === 1 ? "its broker" : "their brokers"}, with the ${isOne ? "stop that was" : "stops that were"} there`;
  const of = `${unreadAccounts === 1 ? "a deleted account" : "deleted accounts"} left at ${unreadAccounts === 1 ? "its broker" : "their brokers"}`;
  const unread = `no account is connected, and what ${of} is no longer read`;
  const texts = [...(positions.length > 0 ? [kept] : []), ...(unreadAccounts > 0 ? [unread] : [])];
  return texts.length === 0 ? null : texts.join("; ");
}

function safetyOf({ positions, environment, accounts, unreadAccounts, left }: TodayFacts): Safety {
  if (environment === null || accounts === 0)
    return {
      text: leftText(left) ?? "none of your money is invested",
      cite: left.positions.length > 0 ? LOG : ACCOUNTS,
    };
  if (positions.length === 0 && unreadAccounts > 0)
    return {
      text: `what ${accounts === 1 ? "the account holds" : "the accounts hold"} is not known before ${accounts === 1 ? "its" : "their"} first reading`,
      cite: ACCOUNTS,
    };
  if (positions.length === 0) return { text: "nothing is held, and no money is at risk", cite: POSITIONS };
  if (positions.length === 1) return { text: "the one position has its stop at the broker", cite: POSITIONS };
  const all = positions.length === 2 ? "both" : `all ${positions.length}`;
  return { text: `${all} positions have their stops at the broker`, cite: POSITIONS };
}

interface Wrong {
  text: string;
  cites: Sentence["cites"];
}

function wrongsOf(facts: TodayFacts): Wrong[] {
  const { positions, unknownOrders, parkedOrders, rejected, accounts, result, holds, silentAccounts } = facts;
  const wrongs: Wrong[] = [];
  const bare = [...new Set(positions.filter(({ isCovered }) => !isCovered).map(({ symbol }) => symbol))];
  if (bare.length > 0) {
    const are = bare.length === 1 ? "is not fully covered by a stop" : "are not fully covered by stops";
    wrongs.push({ text: `${listed(bare)} ${are} at the broker.`, cites: eachOrAll(bare, symbolPage, POSITIONS) });
  }
  const bareLeft = [...new Set(facts.left.positions.filter(({ isCovered }) => !isCovered).map(({ symbol }) => symbol))];
  if (bareLeft.length > 0) {
    const are = bareLeft.length === 1 ? "is" : "are";
    wrongs.push({
      text: `${listed(bareLeft)} of a deleted account ${are} still at the broker and not fully covered there by a stop.`,
      cites: [LOG],
    });
  }
  if (unknownOrders > 0)
    wrongs.push({
      text: `What became of ${counted(unknownOrders, "order")} is not known yet: the broker is being asked, and nothing is sent twice.`,
      cites: [LOG],
    });
  if (parkedOrders > 0)
    wrongs.push({
      text: `${counted(parkedOrders, "order")} ${parkedOrders === 1 ? "waits" : "wait"} for a person to decide.`,
      cites: [LOG],
    });
  const unread = accounts - (result?.accounts ?? accounts);
  if (unread > 0)
    wrongs.push({
      text: `${unread} of ${accounts} accounts ${unread === 1 ? "has" : "have"} not been read at the broker since the session began and ${unread === 1 ? "is" : "are"} left out.`,
      cites: [ACCOUNTS],
    });
  if (silentAccounts > 0 && silentAccounts < accounts)
    wrongs.push({
      text: `The broker of ${silentAccounts} of ${accounts} accounts has not answered for more than a minute: nothing new is bought there.`,
      cites: [ACCOUNTS],
    });
  const paused = holds.filter(({ kind }) => kind === "ACCOUNT_PAUSED").length;
  if (paused > 0 && paused < accounts)
    wrongs.push({ text: `${counted(paused, "account")} ${paused === 1 ? "is" : "are"} paused.`, cites: [ACCOUNTS] });
  if (rejected.length > 0)
    wrongs.push({
      text: `The broker rejected ${counted(rejected.length, "order")}: ${listed(rejected)}.`,
      cites: [LOG],
    });
  return wrongs;
}
