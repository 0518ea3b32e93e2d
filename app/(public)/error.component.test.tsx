import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { says } from "@/lib/proof/screen/look.ts";
import { showPublicPage } from "@/lib/proof/screen/show.tsx";
import PublicError from "./error.tsx";

test("in the place of a public page that cannot be drawn it is said so, with another try, in the frame", async () => {
  showPublicPage("/learn-more", <PublicError />);
  await says("This page could not be shown").toBeVisible();
  await expect.element(page.getByRole("button", { name: "Retry" })).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Tradewind" }).first()).toBeVisible();
});
