// Shows a screen as its page does: in the product's frame, with its session, its query client and its styles.
import type { ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { endSession, keepSignIn, type SessionUser } from "@/app/_hooks/use-session.ts";
import { PageContent } from "@/app/_ui/page-content.tsx";
import { PublicFrame } from "@/app/_ui/public-frame.tsx";
import { SignedInFrame } from "@/app/_ui/signed-in-frame.tsx";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { authCalls } from "@/lib/contracts/auth-calls.ts";
import { automationApi } from "@/lib/contracts/automation.ts";
import { killSwitchApi } from "@/lib/contracts/kill-switch.ts";
import { notificationsApi } from "@/lib/contracts/notifications.ts";
import { answer } from "./answers.ts";
import { MARKET } from "./market-answers.ts";
import { Router, standAt } from "./router.tsx";

const person = (id: string, role: SessionUser["role"], firstName: string): SessionUser => ({
  id,
  email: `${firstName.toLowerCase()}@tradewind.test`,
  firstName,
  lastName: "Example",
  emailVerified: true,
  role,
  createdAt: "2026-01-05T15:00:00.000Z",
});

export const TRADER = person("0192f0c1-0000-7000-8000-000000000001", "USER", "Tessa");
export const ADMIN = person("0192f0c1-0000-7000-8000-000000000002", "ADMIN", "Ada");

/** What the frame asks for by itself. Called before the test's own answers, which come before these. */
export function answerFrame(): void {
  answer(accountsApi.list, []);
  answer(automationApi.market, MARKET);
  answer(automationApi.readPause, { isPaused: false, since: null, reason: null });
  answer(killSwitchApi.read, { inForce: [], history: [] });
  answer(notificationsApi.list, { notifications: [], unreadCount: 0, pagination: { nextCursor: null, limit: 20 } });
}

let shown: { root: Root; container: HTMLElement } | null = null;

function draw(address: string, content: ReactNode): void {
  hide();
  standAt(address);
  const container = document.body.appendChild(document.createElement("div"));
  const root = createRoot(container);
  shown = { root, container };
  root.render(<Router>{content}</Router>);
}

/** Removes the screen, as leaving the page does. */
export function hide(): void {
  // What was written into the address and not followed yet is forgotten, as by who goes back.
  window.dispatchEvent(new PopStateEvent("popstate"));
  shown?.root.unmount();
  shown?.container.remove();
  shown = null;
}

/** A page behind a sign-in, opened in the browser: nothing of it came with a document. Shown again, it is as if it were loaded anew. */
export function showPage(address: string, user: SessionUser, screen: ReactNode): void {
  answer(authCalls.me, user);
  keepSignIn({ user, token: `token of ${user.id}` });
  draw(
    address,
    <SignedInFrame
      access={user.role === "ADMIN" && address.startsWith("/admin") ? "admin" : "user"}
      hasCookie
      document={{ person: user, isPhone: false, answers: [] }}
    >
      <PageContent>{screen}</PageContent>
    </SignedInFrame>,
  );
}

/** A page that everyone may see, for a visitor who is signed out. */
export function showPublicPage(address: string, screen: ReactNode): void {
  endSession();
  showPageOfCookie(address, null, screen);
}

/** A page that everyone may see, for whom the server knows by the cookie under this name, whatever the token says. */
export function showPageOfCookie(address: string, name: string | null, screen: ReactNode): void {
  draw(
    address,
    <PublicFrame supportEmail="support@tradewind.test" name={name}>
      {screen}
    </PublicFrame>,
  );
}
