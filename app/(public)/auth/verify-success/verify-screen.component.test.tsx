import { useSearchParams } from "next/navigation";
import { beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { authCalls } from "@/lib/contracts/auth-calls.ts";
import { keepSignIn } from "@/app/_hooks/use-session.ts";
import { answer, unreachable } from "@/lib/proof/screen/answers.ts";
import { showPublicPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { VerifyScreen } from "./verify-screen.tsx";

/** As the page does. */
function Verification() {
  const search = useSearchParams();
  const isVerified = search.get("verified") === "true";
  return <VerifyScreen token={search.get("token")} isVerified={isVerified} resetToken={search.get("reset")} />;
}

const link = (name: string) => page.getByRole("link", { name, exact: true });

const CONTINUE = { name: "Continue to Dashboard", href: "/dashboard" };
const CHOOSE = { name: "Choose Your Password", href: "/auth/reset-password?token=a-reset-token" };

beforeEach(() => {
  answer(authCalls.checkResetLink, { isOpen: true });
});

test("a person who is signed in with another account chooses the password, and is not led to the dashboard", async () => {
  answer(authCalls.me, TRADER);
  answer(authCalls.verifyEmail, { verified: true, resetToken: "a-reset-token" });
  showPublicPage("/auth/verify-success?token=a-token", <Verification />);
  keepSignIn({ user: TRADER, token: "a-token-of-the-sign-in" });
  await page.getByRole("button", { name: "Verify my email" }).click();
  await expect.element(link(CHOOSE.name)).toBeVisible();
  expect(window.location.pathname).toBe("/auth/verify-success");
});

for (const [who, resetToken, offered, other] of [
  ["whose address was registered once continues", null, CONTINUE, CHOOSE],
  ["whose address was registered more than once chooses a password", "a-reset-token", CHOOSE, CONTINUE],
] as const)
  test(`a person ${who} after the verification`, async () => {
    answer(authCalls.verifyEmail, { verified: true, resetToken });
    showPublicPage("/auth/verify-success?token=a-token", <Verification />);
    await page.getByRole("button", { name: "Verify my email" }).click();
    await expect.element(page.getByRole("heading", { name: "Email Verified Successfully!" })).toBeVisible();
    await expect.element(link(offered.name)).toHaveAttribute("href", offered.href);
    await expect.element(link(other.name)).not.toBeInTheDocument();
  });

test("a person who has to choose a password is still asked for it after the page was loaded again", async () => {
  answer(authCalls.verifyEmail, { verified: true, resetToken: "a-reset-token" });
  showPublicPage("/auth/verify-success?token=a-token", <Verification />);
  await page.getByRole("button", { name: "Verify my email" }).click();
  await expect.element(link(CHOOSE.name)).toBeVisible();
  showPublicPage(`${window.location.pathname}${window.location.search}`, <Verification />);
  await expect.element(link(CHOOSE.name)).toHaveAttribute("href", CHOOSE.href);
});

const LATER = "/auth/verify-success?verified=true&reset=a-reset-token";

test("a person who has chosen the password is not asked for it again, and is led to the dashboard where they are signed in", async () => {
  answer(authCalls.checkResetLink, { isOpen: false });
  showPublicPage(LATER, <Verification />);
  await expect.element(link(CONTINUE.name)).toHaveAttribute("href", CONTINUE.href);
  await expect.element(link("Choose a new password")).toHaveAttribute("href", "/auth?view=forgot");
  await expect.element(link(CHOOSE.name)).not.toBeInTheDocument();
  answer(authCalls.me, TRADER);
  keepSignIn({ user: TRADER, token: "a-token-of-the-sign-in" });
  await expect.poll(() => window.location.pathname).toBe("/dashboard");
});

test("a person whose link cannot be asked about chooses the password by it", async () => {
  answer(authCalls.checkResetLink, unreachable());
  showPublicPage(LATER, <Verification />);
  await expect.element(link(CHOOSE.name)).toHaveAttribute("href", CHOOSE.href);
});
