import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { LISTED } from "@/lib/proof/screen/account-answers.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { says } from "@/lib/proof/screen/look.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { ConnectScreen } from "./connect-screen.tsx";

test("a page that is loaded again after an account was connected does not say that Alpaca gave no answer", async () => {
  const sent = answer(accountsApi.finishConnection, LISTED);
  showPage("/alpaca-keys/connect?state=s&code=c", TRADER, <ConnectScreen state="s" code="c" error={null} />);
  await expect.element(page.getByText(/^Connected: /)).toBeVisible();
  expect(window.location.search, "what is loaded again holds no state").toBe("");
  showPage("/alpaca-keys/connect", TRADER, <ConnectScreen state={null} code={null} error={null} />);
  await says("Nothing is being connected here. Your accounts are on the Alpaca Keys page.").toBeVisible();
  expect(sent).toEqual([{ state: "s", code: "c" }]);
});
