import type { IncomingMessage } from "node:http";
import type { ExchangeState } from "../book/state.ts";
import { accountOfToken, type Scope } from "../oauth/grants.ts";
import { isAtHome, isLiveAddress } from "./addresses.ts";
import type { AccountState } from "../book/types.ts";

/** The key id of the product itself, which reads market data and has no account. */
export const DATA_KEY_ID = "TPDATA";

interface Caller {
  accountState: AccountState;
  /** What a token may do; null for keys, which may do everything. */
  scopes: readonly Scope[] | null;
}

/** The account whose keys or token a request carries; null for unknown ones. */
export function callerOf(state: ExchangeState, request: IncomingMessage): Caller | null {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (token !== undefined) return accountOfToken(state, token, isLiveAddress(request.socket));
  const keyId = request.headers["apca-api-key-id"];
  const isKnown = typeof keyId === "string" && isAtHome(keyId, request.socket);
  const accountState = isKnown ? state.byKeyId.get(keyId) : undefined;
  return accountState !== undefined && accountState.account.secret === request.headers["apca-api-secret-key"]
    ? { accountState, scopes: null }
    : null;
}

export function hasDataKeys(controlToken: string | undefined, request: IncomingMessage): boolean {
  const isData = request.headers["apca-api-key-id"] === DATA_KEY_ID && controlToken !== undefined;
  return isData && request.headers["apca-api-secret-key"] === controlToken;
}
