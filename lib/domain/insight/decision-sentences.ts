import { GATE_CODES, GATE_OF, type GateCode } from "../gates/gates.ts";
import { clockText } from "../time.ts";
import type { BriefFacts, DecisionFacts } from "./facts.ts";
import { MARKET_IS } from "./market-text.ts";
import { DECISIONS, decisionPage, tradesOf } from "./pages.ts";
import { type CycleLine, readCycleLine } from "./read-cycle-line.ts";
import { counted } from "../counted.ts";
import { type Cite, lowerFirst, sentence, type Sentence } from "./sentence-parts.ts";

type Read = DecisionFacts & { says: CycleLine };

/** What was decided, why nothing was bought, and in which market. */
export function decisionSentences(facts: BriefFacts): Sentence[] {
  const read = facts.decisions.flatMap((group): Read[] => {
    const says = readCycleLine(group.line);
    return says === null ? [] : [{ ...group, says }];
  });
  const latest = latestOf(read);
  if (latest === null) return [doneSentence(facts, "no decision has been recorded in this session", DECISIONS)];
  const without = read.filter(({ says }) => says.orders === 0);
  const sentences = [countSentence(facts, read, latest)];
  const why = reasonSentence(without, facts) ?? silenceSentence(without.filter(isWithoutSignal), without);
  if (why !== null) sentences.push(why);
  if (facts.regime !== null) sentences.push(regimeSentence(facts.regime, latest));
  return sentences;
}

function latestOf<T extends DecisionFacts>(groups: readonly T[]): T | null {
  return groups.reduce<T | null>((latest, group) => (latest === null || group.at > latest.at ? group : latest), null);
}

const total = (groups: readonly DecisionFacts[]): number => groups.reduce((count, group) => count + group.count, 0);

function countSentence(facts: BriefFacts, read: readonly Read[], latest: Read): Sentence {
  const { cycles } = facts;
  const all = total(read);
  const ordering = total(read.filter(({ says }) => says.orders > 0));
  const made = `${counted(all, "decision")} ${all === 1 ? "was" : "were"} made${cycles === all ? "" : ` in ${counted(cycles, "cycle")}`}`;
  const outcome = ordering === 0 ? "none of them with an order" : `${ordering} of them with orders`;
  const alone = ordering === 0 ? "without an order" : "with orders";
  return doneSentence(facts, all === 1 ? `${made}, ${alone}` : `${made}, ${outcome}`, decisionPage(latest));
}

/** What was decided, behind the word that nothing was traded where nothing was. */
function doneSentence({ fills, isClosed, session }: BriefFacts, decided: string, page: Cite): Sentence {
  if (fills.length > 0) return sentence([`${decided.charAt(0).toUpperCase()}${decided.slice(1)}.`], [page]);
  const nothing = isClosed ? "Nothing was bought or sold" : "Nothing has been bought or sold so far";
  return sentence([`${nothing}; ${decided}.`], [tradesOf(session), page]);
}

/** The gate that stopped most in a decision. A stock that is held already was bought before: it counts where nothing else stopped. */
function mainRefusal({ says }: Read): CycleLine["refusals"][number] | null {
  const others = says.refusals.filter(({ code }) => code !== "duplicate");
  return others[0] ?? says.refusals[0] ?? null;
}

const isWithoutSignal = ({ says }: Read): boolean => says.signals === 0;

/** Nothing was refused, for the strategy saw nothing. */
const isSilent = (group: Read): boolean => isWithoutSignal(group) && mainRefusal(group) === null;

const HOLDING: ReadonlySet<GateCode> = new Set(["automation_off", "kill_state", "account_status"]);

/** Which gate stopped most in most of the decisions that ordered nothing, and the latest of them in numbers; or that more of them saw no signal. */
function reasonSentence(without: readonly Read[], { holds }: BriefFacts): Sentence | null {
  const byGate = new Map<GateCode, number>();
  for (const group of without) {
    const main = mainRefusal(group);
    // What holds a whole account was said first of all.
    if (main && !(holds.length > 0 && HOLDING.has(main.code)))
      byGate.set(main.code, (byGate.get(main.code) ?? 0) + group.count);
  }
  const [first] = [...byGate].sort(([a, m], [b, n]) => n - m || GATE_CODES.indexOf(a) - GATE_CODES.indexOf(b));
  if (!first) return null;
  const [code, times] = first;
  const silent = without.filter(isSilent);
  if (total(silent) > times) return silenceSentence(silent, without);
  const shown = latestOf(without.filter((group) => mainRefusal(group)?.code === code));
  const refusal = shown && mainRefusal(shown);
  if (!refusal) return null;
  const all = total(without);
  const often = times === all ? "" : ` (in ${times} of ${all} decisions without an order)`;
  const stopped =
    refusal.count === null
      ? "it stopped the whole account"
      : `it stopped ${refusal.count} of ${counted(shown.says.signals, "signal")}`;
  return sentence(
    [
      `What mostly kept Tradewind from buying was “${GATE_OF[code].label}”${often}: ${lowerFirst(GATE_OF[code].explanation)} At ${clockText(shown.at)} ET ${stopped}.`,
    ],
    [decisionPage(shown)],
  );
}

/** Where the strategy saw nothing: in all decisions without an order, or in how many of them. */
function silenceSentence(silent: readonly Read[], without: readonly Read[]): Sentence | null {
  const shown = latestOf(silent);
  if (shown === null) return null;
  const [times, all] = [total(silent), total(without)];
  const seats = counted(shown.says.seated, "selected stock");
  const at = `at ${clockText(shown.at)} ET`;
  const text =
    times === all
      ? `The strategy found no reason to buy in the ${seats} ${at}.`
      : `In ${times} of ${all} decisions without an order the strategy found no reason to buy; the last of them, ${at}, looked at ${seats}.`;
  return sentence([text], [decisionPage(shown)]);
}

function regimeSentence({ label, vix }: NonNullable<BriefFacts["regime"]>, latest: DecisionFacts): Sentence {
  const fear = vix === null ? "" : `; the VIX stood at ${vix.toFixed(2)} at the close before`;
  return sentence([`The market is ${MARKET_IS[label]}${fear}.`], [decisionPage(latest)]);
}
