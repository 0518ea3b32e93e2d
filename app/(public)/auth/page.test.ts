import { expect, it } from "vitest";
import { metadata } from "./page.tsx";

it("the title of the sign-in page is true of every view, because it stays while the views change", () => {
  expect(metadata.title).toBe("Sign in or create an account");
});
