import * as z from "zod";
import { ACCESS_TOKEN_SCOPES } from "@/lib/domain/enums.ts";
import { idIn, instantOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";

const shared = { access: "user", limit: "auth" } as const;

export const ACCESS_TOKEN_BOUNDS = {
  /** Tokens of one person that hold at once. */
  live: 10,
  name: 60,
  /** How long a token may hold. */
  days: [7, 30, 90, 365],
  defaultDays: 90,
} as const;

/** What READ opens, in words: after "read". */
export const READ_OPENS =
  "your accounts, positions, trades, decisions, results, backtests and trading preferences, and the automation's state and log";

const scope = z.enum(ACCESS_TOKEN_SCOPES);

const accessTokenOut = z.object({
  id: z.string(),
  name: z.string(),
  scope,
  /** The last four characters, by which its owner knows it again. */
  lastFour: z.string(),
  createdAt: instantOut,
  expiresAt: instantOut,
  /** True to the minute; null while it was not used. */
  lastUsedAt: instantOut.nullable(),
});

/** The caller's own personal access tokens. A token is made after a step-up, and shown once. */
export const accessTokensApi = {
  list: endpoint({
    ...shared,
    limit: "api",
    method: "GET",
    path: "/auth/access-tokens",
    token: "NONE",
    summary: "Your own valid access tokens, newest first.",
    input: z.strictObject({}),
    output: z.array(accessTokenOut),
  }),
  make: endpoint({
    ...shared,
    method: "POST",
    path: "/auth/access-tokens",
    stepUp: true,
    summary:
      "Make an access token for programs: READ reads your own data, STEER can also pause, resume, sell, tighten stops and save trading preferences. It is shown once.",
    input: z.strictObject({
      name: z
        .string()
        .trim()
        .min(1, "Give the token a name.")
        .max(ACCESS_TOKEN_BOUNDS.name, `A name may have ${ACCESS_TOKEN_BOUNDS.name} characters at most.`),
      scope,
      expiresInDays: z
        .literal(ACCESS_TOKEN_BOUNDS.days, "A token is valid for 7, 30, 90 or 365 days.")
        .default(ACCESS_TOKEN_BOUNDS.defaultDays),
    }),
    /** secret: "twp_…", shown this once. */
    output: z.object({ accessToken: accessTokenOut, secret: z.string() }),
  }),
  revoke: endpoint({
    ...shared,
    method: "DELETE",
    path: "/auth/access-tokens/{id}",
    summary: "Revoke one of your own access tokens. It is refused from the next request on.",
    input: z.strictObject({ id: idIn }),
    output: z.object({ message: z.string() }),
  }),
};
