import { beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { flagsApi } from "@/lib/contracts/flags.ts";
import { answer, unreachable } from "@/lib/proof/screen/answers.ts";
import { passes } from "@/lib/proof/screen/look.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { AdminScreen } from "./admin-screen.tsx";

const FLAG: Answer<typeof flagsApi.list>[number] = {
  id: "flag",
  name: "a_flag",
  description: "",
  enabled: false,
  environment: "production",
  createdAt: "2026-11-22T10:00:00.000Z",
  isBuiltIn: false,
  isInForce: true,
};
const toggle = page.getByRole("switch", { name: "a_flag" });
const isOn = () => toggle.elements()[0]?.getAttribute("aria-checked") === "true";

beforeEach(async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  answer(flagsApi.list, [FLAG]);
  showPage("/admin?tab=flags", ADMIN, <AdminScreen />);
  await expect.element(toggle).not.toBeChecked();
});

test("a flag that another administrator switches is shown as it is", async () => {
  answer(flagsApi.list, [{ ...FLAG, enabled: true }]);
  await passes(isOn);
});

test("flags that are no longer read are marked as stale", async () => {
  answer(flagsApi.list, unreachable());
  await passes(() => page.getByText("stale", { exact: true }).elements().length > 0);
  await expect.element(toggle).toBeVisible();
});

test("Retry asks for the state that was asked for, also where the flag has that state by now", async () => {
  answer(flagsApi.save, unreachable());
  await toggle.click();
  await expect.element(page.getByText("Failed to update feature flag")).toBeVisible();
  // The answer alone was lost, or another administrator switched it.
  answer(flagsApi.list, [{ ...FLAG, enabled: true }]);
  await passes(isOn);
  const sent = answer(flagsApi.save, { ...FLAG, enabled: true });
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.poll(() => sent).toEqual([{ id: "flag", enabled: true }]);
});
