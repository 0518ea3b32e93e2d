import type { IncomingMessage } from "node:http";
import type { ExchangeState } from "../book/state.ts";
import { isAtHome } from "./addresses.ts";
import type { AccountState } from "../book/types.ts";

/** The key id of the product itself, which reads market data and has no account. */
export const DATA_KEY_ID = "TPDATA";

/** The account whose keys a request carries; null for unknown keys. */
export function accountOfKeys(state: ExchangeState, request: IncomingMessage): AccountState | null {
  const keyId = request.headers["apca-api-key-id"];
  const isKnown = typeof keyId === "string" && isAtHome(keyId, request.socket);
  const accountState = isKnown ? state.byKeyId.get(keyId) : undefined;
  return accountState !== undefined && accountState.account.secret === request.headers["apca-api-secret-key"]
    ? accountState
    : null;
}

export function hasDataKeys(controlToken: string | undefined, request: IncomingMessage): boolean {
  const isData = request.headers["apca-api-key-id"] === DATA_KEY_ID && controlToken !== undefined;
  return isData && request.headers["apca-api-secret-key"] === controlToken;
}
