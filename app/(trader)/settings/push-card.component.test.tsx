import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { channelsApi } from "@/lib/contracts/channels.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { says } from "@/lib/proof/screen/look.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { PushCard } from "./push-card.tsx";

type Subscription = Answer<typeof channelsApi.readPush>["subscriptions"][number];

const browser = (nth: number): Subscription => ({
  id: `0192f0c1-0000-7000-8000-00000000000${nth}`,
  endpoint: `https://push.example.com/${nth}`,
  label: `Browser ${nth}`,
  createdAt: "2026-11-20T15:00:00.000Z",
  lastUsedAt: null,
  isOfThisSignIn: false,
});

test("the place of the keyboard stays in the card when a browser is switched off, the last one too", async () => {
  let subscriptions = [browser(1), browser(2)];
  answer(channelsApi.readPush, () => ({ publicKey: null, subscriptions }));
  answer(channelsApi.unsubscribePush, ({ id }) => {
    subscriptions = subscriptions.filter((each) => each.id !== id);
    return { id };
  });
  showPage("/settings?tab=notifications", TRADER, <PushCard />);
  for (const [name, text] of [
    ["Switch off in Browser 1", "Off here. Other browsers show your notifications."],
    ["Switch off in Browser 2", "Off. A browser can show your notifications while Tradewind is closed."],
  ] as const) {
    const button = page.getByRole("button", { name });
    await expect.element(button).toBeVisible();
    (button.element() as HTMLElement).focus();
    (button.element() as HTMLElement).click();
    await expect.element(button).not.toBeInTheDocument();
    await says(text).toBeVisible();
    await expect.poll(() => document.activeElement?.textContent).toBe(text);
  }
});
