import type { accountsApi } from "../../contracts/accounts.ts";
import type { Answer } from "../../contracts/endpoint.ts";

export type Account = Answer<typeof accountsApi.list>[number];

/** An account as the list gives it; tests change what they are about. */
export const LISTED: Account = {
  id: "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6",
  name: "Main",
  accountType: "INDIVIDUAL",
  environment: "PAPER",
  broker: "ALPACA",
  status: "ACTIVE",
  alpacaKey: "PKABCDEF",
  access: "KEYS",
  hasKeys: true,
  accountNumberEnd: "4821",
  haltReason: null,
  haltAdvice: null,
  stop: null,
  isClosing: false,
  canKeep: false,
  createdAt: "2026-11-02T14:00:00.000Z",
  reconciledAt: "2026-11-20T15:32:05.000Z",
  equity: 102345.6,
  equityAsOf: "2026-11-20T15:30:00.000Z",
  positions: { count: 0, value: 0 },
  otherPositions: 0,
  openQuestions: [],
};

export const PRACTICE_ACCOUNT: Account = { ...LISTED, broker: "PRACTICE", alpacaKey: "TPAAAAAA" };
