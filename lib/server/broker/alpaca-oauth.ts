/** Alpaca's authorization code flow, as its document describes it ("Using OAuth2 and Trading API"). It describes no PKCE. */
import * as z from "zod";
import type { AccountEnvironment } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { AccessToken, Context } from "../context.ts";
import { env } from "../env.ts";
import { hideFromOutput } from "../json-lines.mjs";
import { readBounded } from "../read-bounded.ts";
import { traced } from "../tracing.ts";

/** Place, cancel and modify orders; reading comes without a scope. Market data is read with the installation's own keys. */
const SCOPE = "trading";
const TIMEOUT_MS = 10_000;
/** Far above any true answer. */
const MOST_BYTES = 64 * 1024;

const granted = z.object({
  access_token: z
    .string()
    .min(16)
    .max(4_000)
    .regex(/^[\x21-\x7e]+$/),
  token_type: z.string().regex(/^bearer$/i),
  scope: z.string(),
});
const refused = z.object({ error: z.string().max(100) });

interface Application {
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

/** Null where this installation is no application of Alpaca's: people paste keys then. */
function application(): Application | null {
  const { ALPACA_OAUTH_CLIENT_ID: clientId, ALPACA_OAUTH_CLIENT_SECRET: clientSecret, APP_BASE_URL } = env();
  if (clientId === undefined || clientSecret === undefined) return null;
  return { clientId, clientSecret, redirectUri: `${APP_BASE_URL}/alpaca-keys/connect` };
}

export const canConnectAtAlpaca = (): boolean => application() !== null;

function applicationNeeded(): Application {
  const known = application();
  if (known !== null) return known;
  throw new Failure("unavailable", "Accounts are connected by their keys here.");
}

/** Where the person is asked for access to one account of the environment. */
export function authorizeUrl(state: string, environment: AccountEnvironment): string {
  const { clientId, redirectUri } = applicationNeeded();
  const url = new URL(env().ALPACA_OAUTH_AUTHORIZE_URL);
  const wish = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    scope: SCOPE,
    env: environment.toLowerCase(),
  };
  for (const [name, value] of Object.entries(wish)) url.searchParams.set(name, value);
  // Spaces as %20, as the document writes them.
  return url.href.replaceAll("+", "%20");
}

const unreachable = (cause: unknown) =>
  new Failure("broker_unavailable", "Alpaca cannot be reached right now. Nothing was saved. Please connect again.", {
    cause,
  });

/** Exchanges a code, once: it is not known whether a second try would be the first one that arrives. */
export async function exchangeCode({ log }: Pick<Context, "log">, code: string): Promise<AccessToken> {
  const { clientId, clientSecret, redirectUri } = applicationNeeded();
  for (const secret of [code, clientSecret]) hideFromOutput(secret);
  const form = {
    grant_type: "authorization_code",
    code,
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uri: redirectUri,
  };
  const { status, body } = await traced("broker", { operation: "token" }, async (span) => {
    const answer = await post(env().ALPACA_OAUTH_TOKEN_URL, form);
    span.set({ status: answer.status });
    if (answer.status >= 400) span.fail("refused");
    return answer;
  });
  if (status >= 200 && status < 300) return tokenIn(body);
  const error = refused.safeParse(body).data?.error ?? null;
  // Nothing of the answer but its word goes into the log: Alpaca may repeat what it was sent.
  log.warn("alpaca-connection.refused", { status, reason: error });
  if (error === "invalid_grant")
    throw new Failure("conflict", "Alpaca no longer accepts this connection. Nothing was saved. Connect again.");
  if (status === 429 || status >= 500) throw unreachable(new Error(`HTTP ${status}`));
  throw new Failure(
    "unavailable",
    "The connection to Alpaca is not set up correctly here. Nothing was saved. Add the account with its API keys, or write to support.",
  );
}

function tokenIn(body: unknown): AccessToken {
  const read = granted.safeParse(body);
  // The issues name fields and rules; the values stay out of them.
  if (!read.success) throw unreachable(new Error(`not in a known form: ${z.prettifyError(read.error)}`));
  if (!read.data.scope.split(" ").includes(SCOPE))
    throw new Failure("conflict", "At Alpaca you allowed only reading, not trading. Nothing was saved. Connect again.");
  hideFromOutput(read.data.access_token);
  return { accessToken: read.data.access_token };
}

async function post(url: string, form: Record<string, string>): Promise<{ status: number; body: unknown }> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams(form),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: answer.status, body: parsed((await readBounded(answer, MOST_BYTES)).toString("utf8")) };
  } catch (cause) {
    throw unreachable(cause);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
