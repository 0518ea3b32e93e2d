import { timingSafeEqual } from "node:crypto";
import type { ExchangeState } from "../book/state.ts";
import { type AuthorizeRequest, locationOf, readAuthorizeRequest } from "../oauth/authorize-request.ts";
import { consentPage, stopPage } from "../oauth/consent-page.ts";
import { accountsOf, type ChosenAccounts, issueCode, redeemCode } from "../oauth/grants.ts";
import { type Call, ok, open, type Reply } from "./router.ts";

/** Bodies of these paths are forms. */
export const isOAuthPath = (path: string) => path.startsWith("/oauth/");

const shown = (status: number, body: string): Reply => ({
  status,
  body,
  contentType: "text/html; charset=utf-8",
  headers: { "cache-control": "no-store", "referrer-policy": "no-referrer", "x-frame-options": "DENY" },
});
const sentTo = (location: string): Reply => ({ status: 302, headers: { location, "cache-control": "no-store" } });

/** At Alpaca the person signs in first, at another host. Here any person who opens the page owns all accounts. */
function askPerson({ state, query }: Call): Reply {
  const checked = readAuthorizeRequest(state, query);
  if (checked.kind === "stop") return shown(400, stopPage(checked.sentence));
  if (checked.kind === "back") return sentTo(checked.location);
  return shown(200, consentPage(state, checked.request, query));
}

/** Null where an account that was asked for is none of this environment. */
function chosenAccounts(
  state: ExchangeState,
  { environments }: AuthorizeRequest,
  form: URLSearchParams,
): ChosenAccounts | null {
  const chosen: ChosenAccounts = {};
  for (const environment of environments) {
    const id = form.get(`${environment}_account`);
    if (id === null || !accountsOf(state, environment).some(({ account }) => account.id === id)) return null;
    chosen[environment] = id;
  }
  return chosen;
}

function takeAnswer({ state, body }: Call): Reply {
  const form = body instanceof URLSearchParams ? body : new URLSearchParams();
  const checked = readAuthorizeRequest(state, form);
  if (checked.kind === "stop") return shown(400, stopPage(checked.sentence));
  if (checked.kind === "back") return sentTo(checked.location);
  const { client, redirectUri, scopes, state: theirs } = checked.request;
  // The document says nothing of a person who refuses; access_denied is RFC 6749's word for it.
  if (form.get("decision") !== "allow")
    return sentTo(locationOf(redirectUri, { error: "access_denied", state: theirs }));
  const accounts = chosenAccounts(state, checked.request, form);
  if (accounts === null) return shown(400, stopPage("Choose one of your accounts."));
  const code = issueCode(state, { clientId: client.id, redirectUri, scopes, accounts });
  return sentTo(locationOf(redirectUri, { code, state: theirs }));
}

const NOT_KEPT = { "cache-control": "no-store", pragma: "no-cache" };

/** RFC 6749, section 5.2. */
const refused = (error: string, description: string, status = 400): Reply => ({
  status,
  body: { error, error_description: description },
  headers: NOT_KEPT,
});

const PARAMETERS = ["grant_type", "code", "client_id", "client_secret", "redirect_uri"] as const;

function isSame(given: string, known: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(known)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function exchangeCode({ state, body }: Call): Reply {
  if (!(body instanceof URLSearchParams))
    return refused("invalid_request", "The body must be application/x-www-form-urlencoded.");
  const form = body;
  const wrong = PARAMETERS.find((name) => form.getAll(name).length !== 1 || form.get(name) === "");
  if (wrong !== undefined) return refused("invalid_request", `The parameter ${wrong} must be given once.`);
  const [grantType, code, clientId, secret, redirectUri] = PARAMETERS.map((name) => String(form.get(name)));
  const client = state.oauth.clients.get(clientId ?? "");
  if (client === undefined || !isSame(secret ?? "", client.secret))
    return refused("invalid_client", "The client or its secret is not known.", 401);
  if (grantType !== "authorization_code")
    return refused("unsupported_grant_type", "The grant type must be authorization_code.");
  const granted = redeemCode(state, code ?? "", client.id, redirectUri ?? "");
  if (granted === null)
    return refused("invalid_grant", "The code is unknown, was used, has expired or was issued for another address.");
  const answer = { access_token: granted.token, token_type: "bearer", scope: granted.scopes.join(" ") };
  return { ...ok(answer), headers: NOT_KEPT };
}

export const oauthRoutes = [
  open("/oauth/authorize", askPerson),
  open("/oauth/authorize", takeAnswer, "POST"),
  open("/oauth/token", exchangeCode, "POST"),
];
