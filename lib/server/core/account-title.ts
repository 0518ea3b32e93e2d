import type { Account } from "./row-types.ts";

/** What an account is called where its person reads of it: its name, or its broker and what is shown of its key. */
export function accountTitle({ name, broker, keyPrefix }: Pick<Account, "name" | "broker" | "keyPrefix">): string {
  if (name !== null) return name;
  const kind = broker === "PRACTICE" ? "Practice account" : "Alpaca account";
  return keyPrefix === null ? kind : `${kind} ${keyPrefix}…`;
}
