import { isDecimalText, money, type DecimalText } from "@/lib/domain/money.ts";

/** Options of the commands about books, as the command line gives them. */
export interface BooksOptions {
  account?: string | undefined;
  reason?: string | undefined;
  confirm?: string | undefined;
  source?: string | undefined;
  "cost-share"?: string[] | undefined;
}

/** A command that books; without `confirm` it shows what it would do. */
type Confirmed = { confirm: string; reason: string } | { confirm: null };

export type BooksCommand =
  | { kind: "activities" }
  | ({ kind: "take-broker-books"; accountId: string } & Confirmed)
  | ({
      kind: "book-activity";
      accountId: string;
      activityIds: string[];
      source: string | null;
      costShares: Record<string, DecimalText>;
    } & Confirmed)
  | { kind: "dismiss-activity"; accountId: string; activityIds: string[]; reason: string }
  | { kind: "close-unknown-order"; accountId: string; clientOrderId: string; reason: string };

const VERBS = ["activities", "take-broker-books", "book-activity", "dismiss-activity", "close-unknown-order"] as const;
export type BooksVerb = (typeof VERBS)[number];
export const isBooksVerb = (verb: string): verb is BooksVerb => (VERBS as readonly string[]).includes(verb);

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What was asked for. `wrong` makes the failure of a command line that is not clear. */
export function readBooks(
  verb: BooksVerb,
  positionals: string[],
  options: BooksOptions,
  wrong: (message: string) => Error,
): BooksCommand {
  const most = { activities: 0, "take-broker-books": 0, "close-unknown-order": 1 } as Partial<
    Record<BooksVerb, number>
  >;
  const tooMany = positionals.slice(most[verb] ?? positionals.length);
  if (tooMany.length > 0) throw wrong(`Too many words: ${tooMany.join(" ")}`);

  const accountId = () => {
    if (options.account === undefined) throw wrong("Give --account <id>.");
    if (!ID.test(options.account))
      throw wrong(`"${options.account}" is no account id; "stops" and the console show them.`);
    return options.account;
  };
  const reason = () => {
    if (!options.reason?.trim()) throw wrong("Give --reason.");
    return options.reason;
  };
  const confirmed = (): Confirmed =>
    options.confirm === undefined ? { confirm: null } : { confirm: options.confirm, reason: reason() };
  const activityIds = () => {
    if (positionals.length === 0) throw wrong('Give the ids of the activity; "activities" shows them.');
    return positionals;
  };
  switch (verb) {
    case "activities":
      return { kind: verb };
    case "take-broker-books":
      return { kind: verb, accountId: accountId(), ...confirmed() };
    case "book-activity": {
      const costShares = Object.fromEntries((options["cost-share"] ?? []).map((word) => costShare(word, wrong)));
      const source = options.source ?? null;
      return { kind: verb, accountId: accountId(), activityIds: activityIds(), source, costShares, ...confirmed() };
    }
    case "dismiss-activity":
      return { kind: verb, accountId: accountId(), activityIds: activityIds(), reason: reason() };
    case "close-unknown-order": {
      const [clientOrderId] = positionals;
      if (clientOrderId === undefined) throw wrong("Give the client order id of the order.");
      return { kind: verb, accountId: accountId(), clientOrderId, reason: reason() };
    }
  }
}

/** "NEWCO=0.25" */
function costShare(word: string, wrong: (message: string) => Error): [string, DecimalText] {
  const [symbol = "", share = "", ...rest] = word.split("=");
  const isShare = isDecimalText(share) && money(share).gte(0) && money(share).lte(1);
  if (symbol === "" || rest.length > 0 || !isShare)
    throw wrong(`"${word}" is no share of the cost: give SYMBOL=0.25, between 0 and 1.`);
  return [symbol, share];
}
