import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { killSwitchApi } from "@/lib/contracts/kill-switch.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { ConsoleHead } from "./console-head.tsx";

type InForce = Answer<typeof killSwitchApi.read>["inForce"][number];
type State = InForce["state"];

const everyAccount = (state: State): InForce => ({
  ...{ kind: "system", key: "system", userId: null, accountId: null, market: null, symbol: null },
  ...{ label: "Every account", environment: null, state, text: `${state} is in force.`, reason: null },
  ...{ since: null, by: "grace@tradewind.test" },
});
const stoppedSymbol: InForce = {
  ...everyAccount("REDUCE_ONLY"),
  ...{ kind: "symbol", key: "US TSLA", market: "US", symbol: "TSLA", label: "TSLA" },
};

const isInForce = (...inForce: InForce[]) => answer(killSwitchApi.read, { inForce, history: [] });
const dialog = () => page.getByRole("dialog");
const field = (name: string | RegExp) => dialog().getByLabelText(name);
const press = (name: string | RegExp) => dialog().getByRole("button", { name }).click();

async function open(...inForce: InForce[]): Promise<void> {
  isInForce(...inForce);
  showPage("/admin/users", ADMIN, <ConsoleHead title="Users" />);
  await page.getByRole("button", { name: /^Kill switch/ }).click();
}

/** Another administrator acts, and the open form hears of it. */
async function meanwhile(...inForce: InForce[]): Promise<void> {
  isInForce(...inForce);
  await expect
    .poll(() => {
      window.dispatchEvent(new Event("visibilitychange"));
      return dialog().getByText("The kill switch was changed while you filled this in").query();
    })
    .not.toBeNull();
}

test("a stop that another administrator sets first is asked for all the same, and its reason is said to be lost", async () => {
  await open();
  await field("New state").selectOptions("Only reduce positions");
  await field("Reason (optional)").fill("bad quotes");
  await field("Type STOP to confirm").fill("STOP");
  await meanwhile(everyAccount("REDUCE_ONLY"));
  await expect.element(field("New state")).toHaveValue("REDUCE_ONLY");
  const sent = answer(killSwitchApi.set, { state: "REDUCE_ONLY", isChanged: false });
  await press("Stop now");
  await expect
    .element(
      dialog().getByText(
        "Nothing was changed: “Only reduce positions” was in force already. Your reason was not recorded.",
      ),
    )
    .toBeVisible();
  expect(sent).toEqual([{ scope: { kind: "system" }, state: "REDUCE_ONLY", from: "NONE", reason: "bad quotes" }]);
});

test("a stop that is stricter than the one set meanwhile goes through", async () => {
  await open();
  await field("New state").selectOptions("Sell every position");
  await field("Type FLATTEN to confirm").fill("FLATTEN");
  await meanwhile(everyAccount("REDUCE_ONLY"));
  const sent = answer(killSwitchApi.set, { state: "FLATTEN", isChanged: true });
  await press("Stop now");
  await expect.element(dialog().getByText("The kill switch was changed.")).toBeVisible();
  expect(sent).toEqual([{ scope: { kind: "system" }, state: "FLATTEN", from: "NONE" }]);
});

test("tightening a stop that became a stricter one meanwhile loosens nothing before the person has seen it", async () => {
  await open(everyAccount("NO_NEW_ENTRIES"));
  await press("Change");
  await field("New state").selectOptions("Only reduce positions");
  await field(/^Reason/).fill("volatile");
  await field("Type STOP to confirm").fill("STOP");
  await meanwhile(everyAccount("FLATTEN"));
  await expect.element(dialog().getByText("In force now: “Sell every position”.")).toBeVisible();
  await expect.element(dialog().getByRole("button", { name: "Loosen the stop" })).toBeDisabled();
  await press("Start again");
  await field("New state").selectOptions("Only reduce positions");
  await field("Type STOP to confirm").fill("STOP");
  const sent = answer(killSwitchApi.set, { state: "REDUCE_ONLY", isChanged: true });
  await press("Loosen the stop");
  await expect.element(dialog().getByText("The kill switch was changed.")).toBeVisible();
  expect(sent).toEqual([{ scope: { kind: "system" }, state: "REDUCE_ONLY", from: "FLATTEN", reason: "volatile" }]);
});

test("a symbol that is stopped already can only be released", async () => {
  await open(stoppedSymbol);
  await dialog().getByLabelText("Stop", { exact: true }).selectOptions("A symbol, in every account");
  await field("Symbol").fill("tsla");
  await expect.element(field("New state")).toHaveValue("NONE");
  await expect.element(dialog().getByText("Change the kill switch of TSLA")).toBeVisible();
});
