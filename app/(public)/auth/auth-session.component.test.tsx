import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { keepSignIn, lookAgain } from "@/app/_hooks/use-session.ts";
import { readNotice, readToken, rememberNotice, storeToken } from "@/lib/client/storage.ts";
import { authCalls } from "@/lib/contracts/auth-calls.ts";
import { answer, bare, refusal, unreachable } from "@/lib/proof/screen/answers.ts";
import { nameOfColour, paintedOn } from "@/lib/proof/screen/colour.ts";
import { ADMIN, hide, showPublicPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { AuthScreen } from "./auth-screen.tsx";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const field = (label: string) => page.getByLabelText(label, { exact: true });
const show = () => showPublicPage("/auth", <AuthScreen from={null} />);

const ENDED = "You were signed out because your sign-in has ended. Sign in to continue.";
const status = () => page.getByRole("main").getByRole("status");
const loginHeading = () => page.getByRole("heading", { name: "Sign in to Tradewind" });

test("who comes with a token that has ended is told so, as a warning, and only this once", async () => {
  show();
  storeToken("an-ended-token");
  answer(authCalls.me, refusal(401, "Please sign in."));
  lookAgain();
  await expect.element(loginHeading()).toBeVisible();
  await expect.element(status()).toHaveTextContent(ENDED);
  expect(nameOfColour(paintedOn(await status().findElement(), "color")), "no success").not.toBe("green");
  expect([readToken(), readNotice()]).toEqual([null, null]);
  show();
  await expect.element(loginHeading()).toBeVisible();
  await expect.element(status()).not.toBeInTheDocument();
});

test("what was to be said on the sign-in page is over with a sign-in", async () => {
  showPublicPage("/", <p>The landing page</p>);
  rememberNotice("ended");
  keepSignIn({ user: TRADER, token: "a-token" });
  expect(readNotice()).toBeNull();
});

test("what succeeded is said on the sign-in page as a success", async () => {
  rememberNotice("verified");
  show();
  await expect.element(status()).toHaveTextContent("Your email address is verified.");
  expect(nameOfColour(paintedOn(await status().findElement(), "color"))).toBe("green");
});

for (const [situation, reply] of [
  ["cannot be reached", unreachable()],
  ["has no database", refusal(503, "The service is briefly unavailable. Please try again.", "unavailable")],
] as const)
  test(`who is sent back to the sign-in while the server ${situation} stays signed in, and goes on where they were going`, async () => {
    vi.useFakeTimers();
    show();
    await expect.element(loginHeading()).toBeVisible();
    keepSignIn({ user: TRADER, token: "a-token" });
    await expect.poll(() => window.location.pathname).toBe("/dashboard");
    hide();
    const sent = answer(authCalls.me, reply);
    showPublicPage("/auth", <AuthScreen from="/settings?tab=trading" />);
    keepSignIn({ user: TRADER, token: "a-token" });
    await expect.element(page.getByText("Tradewind could not be reached. Trying again.")).toBeVisible();
    expect([readToken(), sent.length]).toEqual(["a-token", 1]);
    answer(authCalls.me, TRADER);
    await vi.advanceTimersByTimeAsync(2_000);
    await expect.poll(() => window.location.href).toMatch(/\/settings\?tab=trading$/);
    expect(readToken()).toBe("a-token");

    answer(authCalls.me, refusal(401, "Please sign in."));
    showPublicPage("/auth", <AuthScreen from="/settings" />);
    keepSignIn({ user: TRADER, token: "a-token" });
    await expect.element(status()).toHaveTextContent(ENDED);
    expect(readToken()).toBeNull();
  });

test("Back leaves the second step of a sign-in, and the address of the step alone leads nowhere", async () => {
  answer(authCalls.login, {
    user: null,
    token: null,
    secondFactor: { ticket: "a-ticket", methods: ["totp"] },
  } as never);
  show();
  await field("Email").fill("someone@tradewind.example");
  await field("Password").fill("Windward-42-sails");
  await button("Sign In").click();
  const step = page.getByRole("heading", { name: "One more step" });
  await expect.element(step).toBeVisible();
  window.history.back();
  await expect.element(loginHeading()).toBeVisible();
  await expect.element(step).not.toBeInTheDocument();
  window.history.forward();
  await expect.element(step).toBeVisible();
  showPublicPage("/auth?view=second-factor", <AuthScreen from={null} />);
  await expect.element(loginHeading()).toBeVisible();
});

for (const [whom, reply, isAccepted] of [
  ["a verified trader", TRADER, true],
  ["an unverified administrator", { ...ADMIN, emailVerified: false }, true],
  ["an unverified trader", { ...TRADER, emailVerified: false }, false],
  ["a refusal", refusal(401, "Please sign in."), false],
  ["an empty answer", bare(200, ""), false],
  ["no user", bare(200, { success: true, data: null, error: null }), false],
] as const)
  test(`a stored token for which the server answers ${whom} is ${isAccepted ? "a sign-in" : "dropped"}`, async () => {
    show();
    await expect.element(loginHeading()).toBeVisible();
    storeToken("a-token");
    answer(authCalls.me, reply);
    lookAgain();
    if (isAccepted) await expect.poll(() => window.location.pathname).toBe("/dashboard");
    else await expect.poll(readToken).toBeNull();
    expect([readToken(), window.location.pathname]).toEqual(isAccepted ? ["a-token", "/dashboard"] : [null, "/auth"]);
  });

test("the second step of a sign-in tells its end after five minutes, and leads back by one key", async () => {
  vi.useFakeTimers();
  answer(authCalls.login, {
    user: null,
    token: null,
    secondFactor: { ticket: "a-ticket", methods: ["code"] },
  } as never);
  show();
  await field("Email").fill("someone@tradewind.example");
  await field("Password").fill("Windward-42-sails");
  await button("Sign In").click();
  await expect.element(page.getByLabelText("Code from your authenticator app")).toHaveFocus();
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  await expect.element(page.getByText("The five minutes for this step are over. Please sign in again.")).toBeVisible();
  await expect.element(button("Sign in again")).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(field("Email")).toBeVisible();
});
