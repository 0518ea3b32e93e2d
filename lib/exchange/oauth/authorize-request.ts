import type { ExchangeState } from "../book/state.ts";
import { ENVIRONMENTS, type Environment, type OAuthClient, type Scope, SCOPES } from "./grants.ts";

/** An application's wish, checked. */
export interface AuthorizeRequest {
  client: OAuthClient;
  redirectUri: string;
  state: string | null;
  scopes: Scope[];
  /** What the person is asked for: one account, or where the application names no environment one of each. */
  environments: readonly Environment[];
}

type Checked =
  | { kind: "request"; request: AuthorizeRequest }
  /** Shown to the person alone: the caller is not known, so there is no redirect. */
  | { kind: "stop"; sentence: string }
  /** Told to the application at its address. */
  | { kind: "back"; location: string };

/** What the person is sent back with; a parameter without a value is left out. */
export function locationOf(redirectUri: string, answer: Record<string, string | null>): string {
  const location = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) if (value !== null) location.searchParams.append(name, value);
  return location.href;
}

const isScope = (word: string): word is Scope => (SCOPES as readonly string[]).includes(word);

/** Reads the parameters that the document lists; errors are those of RFC 6749, section 4.1.2.1. */
export function readAuthorizeRequest({ oauth }: ExchangeState, query: URLSearchParams): Checked {
  const client = oauth.clients.get(query.get("client_id") ?? "");
  if (client === undefined) return { kind: "stop", sentence: "This application is not known here (client_id)." };
  const redirectUri = query.get("redirect_uri") ?? "";
  if (!client.redirectUris.includes(redirectUri))
    return { kind: "stop", sentence: "This address is not registered for the application (redirect_uri)." };
  const state = query.get("state");
  const back = (error: string): Checked => ({ kind: "back", location: locationOf(redirectUri, { error, state }) });
  if (query.get("response_type") !== "code") return back("unsupported_response_type");
  const words = (query.get("scope") ?? "").split(" ").filter((word) => word !== "");
  const scopes = words.filter(isScope);
  if (scopes.length < words.length) return back("invalid_scope");
  const wanted = query.get("env");
  const environments = ENVIRONMENTS.filter((environment) => wanted === null || wanted === environment);
  if (environments.length === 0) return back("invalid_request");
  return { kind: "request", request: { client, redirectUri, state, scopes, environments } };
}
