/** What stopped candidates, by word: how many, or 0 for a word that stands for a whole account ("automation off"). */
type Refusals = Map<string, number>;

const HEAD = /^.*? \d+ orders?(?:: (?<tail>.*))?$/;
const PART = /^(?:(?<count>\d+) )?(?<word>.+)$/;

function refusalsOf(line: string): Refusals {
  const refusals: Refusals = new Map();
  for (const part of HEAD.exec(line)?.groups?.tail?.split(", ") ?? []) {
    const { count = "0", word = part } = PART.exec(part)?.groups ?? {};
    refusals.set(word, Number(count));
  }
  return refusals;
}

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;

/**
 * The line of a whole cycle over its accounts, after one more of them decided: the words of the engine's
 * own line, counts added up. Lines are the only place that keeps them, so they are read back from there.
 */
export function addToCycleLine(
  cycle: { line: string | null; screened: number; seated: number; signals: number; orders: number },
  clock: string,
  accountLine: string,
): string {
  const total = refusalsOf(cycle.line ?? "");
  for (const [word, count] of refusalsOf(accountLine)) total.set(word, (total.get(word) ?? 0) + count);
  const head = `${clock}: ${cycle.screened} screened, ${cycle.seated} seated, ${counted(cycle.signals, "signal")}, ${counted(cycle.orders, "order")}`;
  const parts = [...total]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([word, count]) => (count === 0 ? word : `${count} ${word}`));
  return parts.length === 0 ? head : `${head}: ${parts.join(", ")}`;
}
