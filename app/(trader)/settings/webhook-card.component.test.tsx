import { beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { channelsApi } from "@/lib/contracts/channels.ts";
import { answer, refusal } from "@/lib/proof/screen/answers.ts";
import { says } from "@/lib/proof/screen/look.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { WebhookCard } from "./webhook-card.tsx";

const WEBHOOK = {
  url: "https://hooks.example.com/tradewind",
  createdAt: "2026-11-02T14:00:00.000Z",
  failingSince: null,
  disabledAt: null,
  disabledReason: null,
  oldSecretUntil: null,
};
const button = (name: string) => page.getByRole("button", { name, exact: true });
const SENT = "A test was sent: see the deliveries below.";

beforeEach(() => {
  answer(channelsApi.readWebhook, { webhook: WEBHOOK });
  answer(channelsApi.deliveries, { deliveries: [] });
  showPage("/settings?tab=notifications", TRADER, <WebhookCard />);
});

test("a test that fails after one that was sent is not told to be sent", async () => {
  answer(channelsApi.testWebhook, { id: "0192f0c1-0000-7000-8000-000000000001" });
  await button("Send a test").click();
  await says(SENT).toBeVisible();
  answer(channelsApi.testWebhook, refusal(429, "Too many tests.", "too_many_requests"));
  await button("Send a test").click();
  await says("Too many tests.").toBeVisible();
  await expect.element(page.getByText(SENT)).not.toBeInTheDocument();
});

test("the failure of a test goes with the next thing that is done", async () => {
  answer(channelsApi.testWebhook, refusal(429, "Too many tests.", "too_many_requests"));
  await button("Send a test").click();
  await says("Too many tests.").toBeVisible();
  answer(channelsApi.rotateSecret, { webhook: WEBHOOK, secret: "whsec_new" });
  await button("New secret").click();
  await says("whsec_new").toBeVisible();
  await expect.element(page.getByText("Too many tests.")).not.toBeInTheDocument();
});

test("the secret of a webhook that was removed is no longer shown", async () => {
  answer(channelsApi.rotateSecret, { webhook: WEBHOOK, secret: "whsec_new" });
  await button("New secret").click();
  await says("whsec_new").toBeVisible();
  answer(channelsApi.removeWebhook, { webhook: null });
  answer(channelsApi.readWebhook, { webhook: null });
  await button("Remove webhook").click();
  await button("Remove").click();
  await expect.element(button("Set up webhook")).toBeVisible();
  await expect.element(page.getByText("whsec_new")).not.toBeInTheDocument();
});
