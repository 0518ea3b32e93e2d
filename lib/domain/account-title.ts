import type { BrokerName } from "./enums.ts";

export interface TitledAccount {
  id: string;
  name: string | null;
  broker: BrokerName;
  /** What is shown of its key; null where access was granted without one, and once it is removed. */
  keyPrefix: string | null;
  /** Null once it is removed. */
  accountNumberEnd: string | null;
}

/** What is read of its row for the title. */
export const TITLE_FIELDS = { id: true, name: true, broker: true, keyPrefix: true, accountNumberEnd: true } as const;

/** What an account is called where its person reads of it: its name, or its broker and what tells it from the person's others. */
export function accountTitle({ id, name, broker, keyPrefix, accountNumberEnd }: TitledAccount): string {
  if (name !== null) return name;
  const kind = broker === "PRACTICE" ? "Practice account" : "Alpaca account";
  if (keyPrefix !== null) return `${kind} ${keyPrefix}…`;
  return accountNumberEnd === null ? `${kind} ${id.slice(-8)}` : `${kind} …${accountNumberEnd}`;
}
