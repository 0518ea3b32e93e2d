import { KEYS_REFUSED, KEYS_UNOPENABLE } from "../sync/key-halts.ts";

const ADVICE: Record<string, string> = {
  [KEYS_REFUSED]:
    "Look at Alpaca whether the keys were revoked. With new keys: delete this account and add it again. When the broker takes the keys again, it goes on by itself.",
  [KEYS_UNOPENABLE]:
    "Delete this account and add it again with its keys: the history stays, and protective stops rest at the broker meanwhile.",
};

/** What its owner can do about an account that is halted for this reason. */
export function haltAdvice(reason: string | null): string | null {
  if (reason === null) return null;
  return (
    ADVICE[reason] ??
    "Nothing new is sent; protective stops rest at the broker. Look at the reason and at your positions, then resume: the books are compared with the broker's first."
  );
}
