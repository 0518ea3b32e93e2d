import { STRATEGIES } from "../strategies/strategies.ts";
import { byMargin, type Gate } from "./gate.ts";
import { countedUp } from "./texts.ts";

/** Positions and entries in flight against the user's and the strategy's limit. Margin in positions. */
export const maxPositions = {
  code: "max_positions",
  label: "max positions",
  explanation: "There has to be a free place under your Max Positions.",
  scope: "order",
  unit: "position",
  flip: (lacking) => countedUp(lacking ?? 1, "free position slot"),
  check: ({ state, policy, strategy, book }) => {
    const ofUser = state.preferences.maxPositions - book.symbols.size - 1;
    const { adjective, most: mostOf } = STRATEGIES[strategy];
    const most = mostOf?.(policy).positions ?? Number.POSITIVE_INFINITY;
    let open = 0;
    for (const count of book.counts.get(strategy)?.values() ?? []) open += count;
    const ofStrategy = most - open - 1;
    if (ofStrategy < ofUser) return byMargin(ofStrategy, () => `${open} of ${most} ${adjective} positions`);
    return byMargin(ofUser, () => `${book.symbols.size} of ${state.preferences.maxPositions} positions`);
  },
} as const satisfies Gate;
