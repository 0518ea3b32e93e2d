/**
 * Alpaca's OAuth 2.0 as its document describes it ("Using OAuth2 and Trading API"): registered clients, codes that are exchanged once,
 * tokens that stand for one paper account, one live account, or one of each. What the document leaves open says so where it is decided.
 */
import { randomBytes, randomUUID } from "node:crypto";
import type { ExchangeState } from "../book/state.ts";
import type { AccountState } from "../book/types.ts";
import { LIVE_KEYS, PAPER_KEYS } from "../key-kinds.ts";

/** Without any of them a token reads. */
export const SCOPES = ["account:write", "trading", "data"] as const;
export type Scope = (typeof SCOPES)[number];

export const ENVIRONMENTS = ["paper", "live"] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export interface OAuthClient {
  id: string;
  secret: string;
  name: string;
  redirectUris: string[];
}

/** The accounts that a person chose, by their ids. */
export type ChosenAccounts = Partial<Record<Environment, string>>;

export interface OAuthToken {
  token: string;
  clientId: string;
  scopes: Scope[];
  accounts: ChosenAccounts;
}

interface OAuthCode extends Omit<OAuthToken, "token"> {
  redirectUri: string;
  /** Wall milliseconds by `performance.now()`. */
  expiresAt: number;
}

export interface OAuthBook {
  clients: Map<string, OAuthClient>;
  tokens: Map<string, OAuthToken>;
  /** Memory only: they are gone within a minute. */
  codes: Map<string, OAuthCode>;
  /** Called with the tokens that were taken back. */
  onRevoked: ((tokens: ReadonlySet<string>) => void) | null;
}

export const emptyOAuthBook = (): OAuthBook => ({
  clients: new Map(),
  tokens: new Map(),
  codes: new Map(),
  onRevoked: null,
});

/** The document names no life of a code ("temporary"). Short, so that a client that dawdles is found out. */
const CODE_MS = 60_000;

export function registerClient(
  { oauth, journal }: ExchangeState,
  input: {
    client_id?: string | undefined;
    client_secret?: string | undefined;
    name?: string | undefined;
    redirect_uris: string[];
  },
): OAuthClient {
  const client: OAuthClient = {
    id: input.client_id ?? randomBytes(16).toString("hex"),
    secret: input.client_secret ?? randomBytes(20).toString("hex"),
    name: input.name ?? "An application",
    redirectUris: input.redirect_uris,
  };
  oauth.clients.set(client.id, client);
  journal.write("oauth_clients", client.id, client);
  return client;
}

/** The accounts with Alpaca's keys that a person may choose from. */
export function accountsOf({ accounts }: ExchangeState, environment: Environment): AccountState[] {
  const begins = environment === "live" ? LIVE_KEYS : PAPER_KEYS;
  return [...accounts.values()].filter(({ account }) => account.keyId.startsWith(begins));
}

export function issueCode({ oauth }: ExchangeState, grant: Omit<OAuthCode, "expiresAt">): string {
  const now = performance.now();
  for (const [code, { expiresAt }] of oauth.codes) if (expiresAt <= now) oauth.codes.delete(code);
  const code = randomUUID();
  oauth.codes.set(code, { ...grant, expiresAt: now + CODE_MS });
  return code;
}

/** Null for a code that was used, has expired, or belongs to another client or address. Asking uses it up. */
export function redeemCode(
  { oauth, journal }: ExchangeState,
  code: string,
  clientId: string,
  redirectUri: string,
): OAuthToken | null {
  const found = oauth.codes.get(code);
  oauth.codes.delete(code);
  const isGood =
    found !== undefined &&
    found.expiresAt > performance.now() &&
    found.clientId === clientId &&
    found.redirectUri === redirectUri;
  if (!isGood) return null;
  const { scopes, accounts } = found;
  const granted: OAuthToken = { token: randomUUID(), clientId, scopes, accounts };
  oauth.tokens.set(granted.token, granted);
  journal.write("oauth_tokens", granted.token, granted);
  return granted;
}

/** The account that a token opens at this address, with what it may do there; null for a token that is unknown, was revoked or opens none. */
export function accountOfToken(
  state: ExchangeState,
  token: unknown,
  isLive: boolean,
): { accountState: AccountState; scopes: readonly Scope[] } | null {
  const granted = typeof token === "string" ? state.oauth.tokens.get(token) : undefined;
  const accountId = granted?.accounts[isLive ? "live" : "paper"];
  const accountState = accountId === undefined ? undefined : state.accounts.get(accountId);
  return granted === undefined || accountState === undefined ? null : { accountState, scopes: granted.scopes };
}

/**
 * Takes tokens back: this one, or all of an account. At Alpaca a person does it on the page of their authorised applications; a call
 * for it is not documented. Answers how many.
 */
export function revokeTokens(
  { oauth, journal, accounts }: ExchangeState,
  which: { access_token?: string | undefined; account_number?: string | undefined },
): number {
  const isOfAccount = (id: string) =>
    which.account_number !== undefined && accounts.get(id)?.account.accountNumber === which.account_number;
  const isMeant = ({ token, accounts: chosen }: OAuthToken) =>
    token === which.access_token || Object.values(chosen).some(isOfAccount);
  const revoked = [...oauth.tokens.values()].filter(isMeant);
  for (const { token } of revoked) {
    oauth.tokens.delete(token);
    journal.erase("oauth_tokens", token);
  }
  oauth.onRevoked?.(new Set(revoked.map(({ token }) => token)));
  return revoked.length;
}
