import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { newWebhookSecret } from "../secrets/seal-webhook.ts";
import { webhookHeaders } from "./sign-webhook.ts";

it("what we sign is accepted by the reference library under each of the secrets, and under no other", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.string(), (id, title) => {
      const [older, newer, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
      const body = JSON.stringify({ id, title });
      const headers = webhookHeaders(id, new Date(), body, [newer, older]);
      for (const secret of [older, newer]) expect(new Webhook(secret).verify(body, headers)).toEqual({ id, title });
      expect(() => new Webhook(other).verify(body, headers)).toThrow();
      expect(() => new Webhook(newer).verify(`${body} `, headers)).toThrow();
      expect(() => new Webhook(newer).verify(body, { ...headers, "webhook-id": `${id}0` })).toThrow();
    }),
    { numRuns: 25 },
  );
});

it("an attempt of long ago is not accepted: the time is signed", () => {
  const secret = newWebhookSecret();
  const headers = webhookHeaders("one", new Date(Date.now() - 600_000), "{}", [secret]);
  expect(() => new Webhook(secret).verify("{}", headers)).toThrow(/old/);
});
