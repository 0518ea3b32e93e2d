import * as z from "zod";
import type { ExchangeControl } from "../control.ts";
import type { Read } from "./control-venue-actions.ts";

/** The bodies of the actions under /_control/oauth, and what each of them does. */

const newClient = z.strictObject({
  client_id: z.string().min(1).optional(),
  client_secret: z.string().min(1).optional(),
  name: z.string().optional(),
  redirect_uris: z.array(z.url()).min(1),
});
const revocation = z.union([
  z.strictObject({ access_token: z.string() }),
  z.strictObject({ account_number: z.string() }),
]);

export const OAUTH_ACTIONS: Record<string, (oauth: ExchangeControl["oauth"], body: unknown, read: Read) => unknown> = {
  "POST /oauth/clients": async (oauth, body, read) => {
    const { id, secret, name, redirectUris } = await oauth.registerClient(read(newClient, body));
    return { client_id: id, client_secret: secret, name, redirect_uris: redirectUris };
  },
  "GET /oauth/tokens": (oauth) => ({
    tokens: oauth.tokens().map(({ token, clientId, scopes }) => ({ access_token: token, client_id: clientId, scopes })),
  }),
  "POST /oauth/revoke": async (oauth, body, read) => ({ revoked: await oauth.revoke(read(revocation, body)) }),
};
