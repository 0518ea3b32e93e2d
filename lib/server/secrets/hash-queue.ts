import { Failure } from "@/lib/domain/failures.ts";

const WAITING_MAX = 20;
/** Of so many turns that owners want, one goes to others. */
const TURNS_TO_ONE_OF_OTHERS = 5;

interface Waiter {
  enter: () => void;
  refuse: (failure: Failure) => void;
}

const crowded = () =>
  new Failure("unavailable", "Too many people are signing in right now. Please try again in a moment.", {
    retryAfterMs: 2_000,
  });

/**
 * Who waits for a hash. Owners of accounts go before others and have slots of their own: a crowd of strangers gets none of
 * them refused. Their accounts take turns, and where the slots are full the account that holds most of them loses one, so
 * that no account keeps another one waiting. Others get a turn now and then: owners do not keep new devices out.
 */
export function createHashQueue() {
  /** By account, in the order of their turns. */
  const own = new Map<string, Waiter[]>();
  const others: Waiter[] = [];
  let ownInARow = 0;

  /** A slot among those of owners; the newest of the account with the most waiting loses theirs, unless this one has as many. */
  function enqueueOwner(account: string, waiter: Waiter): void {
    const lines = [...own.values()];
    const mine = own.get(account) ?? [];
    if (lines.reduce((sum, { length }) => sum + length, 0) >= WAITING_MAX) {
      const longest = lines.reduce((most, line) => (line.length > most.length ? line : most));
      if (longest.length <= mine.length + 1) return waiter.refuse(crowded());
      longest.pop()?.refuse(crowded());
    }
    mine.push(waiter);
    own.set(account, mine);
  }

  function nextOwner(): Waiter | undefined {
    const [turn] = own;
    if (!turn) return undefined;
    const [account, line] = turn;
    const next = line.shift();
    own.delete(account);
    // Behind the other accounts.
    if (line.length > 0) own.set(account, line);
    return next;
  }

  return {
    /** Resolves with the turn. `account` is null for a caller who is not known as an owner. */
    wait: (account: string | null): Promise<void> =>
      new Promise((enter, refuse) => {
        const waiter = { enter, refuse };
        if (account !== null) enqueueOwner(account, waiter);
        else if (others.length < WAITING_MAX) others.push(waiter);
        else refuse(crowded());
      }),
    /** Takes whose turn it is out of the queue; undefined where no caller waits. */
    next(): (() => void) | undefined {
      const isOthersTurn = ownInARow >= TURNS_TO_ONE_OF_OTHERS - 1 && others.length > 0;
      const owner = isOthersTurn ? undefined : nextOwner();
      ownInARow = owner ? ownInARow + 1 : 0;
      return (owner ?? others.shift())?.enter;
    },
  };
}
