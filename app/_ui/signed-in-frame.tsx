"use client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { usePathname, useRouter } from "next/navigation";
import { useEffect, useRef, useState, useSyncExternalStore, useTransition, type ReactNode } from "react";
import { CallError } from "@/lib/client/api.ts";
import { dropCookie } from "@/lib/client/drop-cookie.ts";
import { rememberRoute } from "@/lib/client/storage.ts";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import type { PrefetchedAnswer } from "@/lib/contracts/prefetched.ts";
import { readsHidden, useAmounts } from "../_hooks/use-amounts.ts";
import { useEndpoint } from "../_hooks/use-endpoint.ts";
import { leaveBy } from "../_hooks/use-leave-guard.ts";
import { PhoneHint } from "../_hooks/use-is-phone.ts";
import { useLiveMark } from "../_hooks/use-live-mark.ts";
import { useMarketClock } from "../_hooks/use-market-clock.ts";
import { logout } from "../_hooks/leave.ts";
import {
  DocumentSession,
  endSession,
  renewCookie,
  useSession,
  useTokenSession,
  type SessionUser,
} from "../_hooks/use-session.ts";
import { useShortcuts } from "../_hooks/use-shortcuts.ts";
import { FactorNotice } from "./factor-notice.tsx";
import { MarketClock } from "./market-clock.tsx";
import { NavBar } from "./nav-bar.tsx";
import { linksOf } from "./nav-links.ts";
import { ShownPage } from "./page-content.tsx";
import { PrefetchedAnswers } from "./prefetched.tsx";
import { StepUp } from "./step-up.tsx";

// Not needed to read a page: they come after it.
const Palette = dynamic(() => import("./palette.tsx").then((part) => part.Palette), { ssr: false });
const Shortcuts = dynamic(() => import("./shortcuts.tsx").then((part) => part.Shortcuts), { ssr: false });
const Toaster = dynamic(() => import("./toaster.tsx").then((part) => part.Toaster), { ssr: false });

const ACCOUNTS_POLL_MS = 30_000;
const DROP_PATIENCE_MS = 3000;

/** Asks again when the server could not be reached or failed; a refusal stands, and a busy server is not asked twice. */
const isWorthAnotherTry = (count: number, error: Error) =>
  count < 1 &&
  (!(error instanceof CallError) || error.status === 0 || (error.status >= 500 && error.code !== "overloaded"));

const newClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: isWorthAnotherTry, retryDelay: 500, networkMode: "always", staleTime: 1000 },
      mutations: { networkMode: "always" },
    },
  });

/** What a document holds for the frame. */
export interface FrameDocument {
  /** For whom it was made; null where it was made for the frame alone. */
  person: SessionUser | null;
  isPhone: boolean;
  answers: readonly PrefetchedAnswer[];
}

type Access = "user" | "admin";

const isLetIn = (session: ReturnType<typeof useSession>, access: Access) =>
  session.status === "signed-in" && (access === "user" || session.user.role === "ADMIN");

interface SignedInFrameProps {
  access?: Access;
  /** Whether the server knows the visitor by the cookie of pages. */
  hasCookie: boolean;
  document: FrameDocument;
  children: ReactNode;
}

/**
 * The frame of every signed-in page. Where the server knew the person, the document holds frame and page with their first
 * answers, and they stand while the token is looked at; else they wait for it. Signed-out visitors go to
 * /auth and return from there; from the administrators' pages they go to the landing page, and traders to their dashboard.
 */
export function SignedInFrame({ document: { person, isPhone, answers }, ...props }: SignedInFrameProps) {
  const [ofDocument] = useState(() => (person === null ? null : ({ status: "signed-in", user: person } as const)));
  return (
    <DocumentSession value={ofDocument}>
      <PhoneHint value={isPhone}>
        <GuardedFrame {...props} answers={answers} documentOf={person?.id ?? null} />
      </PhoneHint>
    </DocumentSession>
  );
}

interface GuardedFrameProps extends Omit<SignedInFrameProps, "document"> {
  answers: readonly PrefetchedAnswer[];
  documentOf: string | null;
}

function GuardedFrame({ access = "user", hasCookie, answers, documentOf, children }: GuardedFrameProps) {
  const session = useSession();
  const mayStay = isLetIn(session, access);
  const hasContent = useContent(mayStay, hasCookie);
  useWayOut(access, hasCookie);
  if (!hasContent || session.status !== "signed-in")
    return (
      <>
        <div className="flex min-h-dvh items-center justify-center px-4 text-center text-sm text-muted">
          <Authenticating />
        </div>
        {/* Shows nothing yet (PageContent); to whom the server gives no content, it is a redirect. */}
        {hasCookie && children}
      </>
    );
  const isAnothers = documentOf !== null && documentOf !== session.user.id;
  return (
    <Answers key={session.user.id}>
      <PrefetchedAnswers answers={isAnothers ? [] : answers}>
        <Ready>
          <Frame user={session.user}>
            <ShownPage isAnothers={isAnothers}>{children}</ShownPage>
          </Frame>
        </Ready>
      </PrefetchedAnswers>
      <RestoringNote />
    </Answers>
  );
}

const subscribeToNothing = () => () => {};

/** Inert until its code runs: what is pressed or typed before would be lost. */
function Ready({ children }: { children: ReactNode }) {
  const isReady = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
  return (
    <div data-signed-in inert={!isReady}>
      {children}
    </div>
  );
}

/** The cache of answers of the signed-in person, emptied when another signs in. */
function Answers({ children }: { children: ReactNode }) {
  const [client] = useState(newClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

function Authenticating() {
  const session = useTokenSession();
  return (
    <div role="status" className="flex flex-col gap-2">
      <p>Authenticating...</p>
      {session.status === "loading" && session.isUnreachable && <p>Tradewind could not be reached. Trying again.</p>}
    </div>
  );
}

/** Over a page that stands before its token has been looked at. */
function RestoringNote() {
  const isRestoring = useTokenSession().status === "loading";
  useEffect(() => {
    // What kept the document of a browser without a token unseen (first-paint-script.tsx).
    if (!isRestoring) document.documentElement.classList.remove("lacks-token");
  }, [isRestoring]);
  if (!isRestoring) return null;
  return (
    <div className="restoring fixed right-3 bottom-20 z-50 rounded-lg border border-line bg-surface px-3 py-1.5 text-xs text-muted shadow-sm lg:bottom-3">
      <Authenticating />
    </div>
  );
}

/** Redirects callers who may not stay, once the token has been looked at. */
function useWayOut(access: Access, hasCookie: boolean): void {
  const session = useTokenSession();
  const router = useRouter();
  const path = usePathname();
  const mayStay = isLetIn(session, access);
  useEffect(() => {
    if (session.status === "loading" || mayStay) return;
    if (session.status === "signed-in") return router.replace("/dashboard");
    if (access === "user") rememberRoute(`${path}${window.location.search}`);
    let isGone = false;
    // A cookie that outlived its token would lead the visitor from "/" back to here. A server that does not answer keeps no visitor waiting.
    const patience = new Promise((resolve) => setTimeout(resolve, DROP_PATIENCE_MS));
    void (hasCookie ? Promise.race([dropCookie(), patience]) : Promise.resolve()).then(() => {
      if (!isGone) router.replace(access === "user" ? "/auth" : "/");
    });
    return () => {
      isGone = true;
    };
  }, [session.status, mayStay, access, hasCookie, path, router]);
}

/** A browser that may show notifications shows those of who is signed in now alone. */
function keepBrowser(): void {
  if (globalThis.Notification?.permission !== "granted") return;
  import("@/lib/client/keep-push.ts")
    .then(({ keepPush }) => keepPush())
    .catch((error: unknown) => console.error("keeping the notifications of this browser", error));
}

/** Bar, page and what lies over both. Real money tints all of it. */
function Frame({ user, children }: { user: SessionUser; children: ReactNode }) {
  const accounts = useEndpoint(accountsApi.list, {}, { pollMs: ACCOUNTS_POLL_MS, isEnabled: user.role === "USER" });
  const isLive = (accounts.data ?? []).some(
    ({ environment, status, hasKeys }) => environment === "LIVE" && status !== "INACTIVE" && hasKeys,
  );
  useLiveMark(isLive);
  useEffect(keepBrowser, [user.id]);
  const { areHidden } = useAmounts();
  useEffect(() => {
    // On the root, so that what opens over the page is covered, too.
    const { classList } = document.documentElement;
    classList.toggle("amounts-hidden", areHidden);
    // The first paint had it of the browser itself (first-paint-script.tsx).
    if (areHidden || !readsHidden()) classList.remove("begins-hidden");
  }, [areHidden]);
  return (
    <div className={`min-h-dvh pb-20 text-sm lg:pb-0 ${isLive ? "border-t-4 border-warn" : ""}`}>
      <Bar user={user} isLive={isLive} />
      <main id="content" tabIndex={-1} className="mx-auto max-w-7xl px-4 py-6 outline-none sm:px-6 sm:py-8">
        <FactorNotice />
        {children}
      </main>
      <StepUp />
      <Toaster />
    </div>
  );
}

/**
 * The server gives a page's content to the cookie alone. Who has the token and lost the cookie gets it back, and the
 * page is asked for again. A browser that keeps no cookie cannot stay signed in.
 */
function useContent(mayStay: boolean, hasCookie: boolean): boolean {
  const router = useRouter();
  const [isAsking, startAsking] = useTransition();
  const [hasAsked, setAsked] = useState(false);
  useEffect(() => {
    if (!mayStay || hasCookie || isAsking) return;
    if (hasAsked) return endSession();
    let isGone = false;
    void renewCookie().then(() => {
      if (isGone) return;
      startAsking(() => {
        setAsked(true);
        router.refresh();
      });
    });
    return () => {
      isGone = true;
    };
  }, [mayStay, hasCookie, isAsking, hasAsked, router]);
  return mayStay && hasCookie;
}

/** Its own part, so that what opens over the page does not render the page again. */
function Bar({ user, isLive }: { user: SessionUser; isLive: boolean }) {
  const [open, setOpen] = useState<"palette" | "shortcuts" | null>(null);
  const router = useRouter();
  const links = linksOf(user.role);
  useShortcuts({
    onPalette: () => setOpen(open === "palette" ? null : "palette"),
    onHelp: () => setOpen("shortcuts"),
    onGo: (letter) => {
      const link = links.find((each) => each.letter === letter);
      if (link) leaveBy(() => router.push(link.href));
    },
  });
  const leave = () => leaveBy(() => void logout());
  const pause = useRef<HTMLSpanElement>(null);
  return (
    <>
      <NavBar
        user={user}
        isLive={isLive}
        clock={<TickingClock />}
        pauseRef={pause}
        onSearch={() => setOpen("palette")}
        onLogout={leave}
      />
      {open === "palette" && (
        <Palette
          role={user.role}
          onClose={() => setOpen(null)}
          onPause={() => pause.current?.querySelector("button")?.click()}
          onShortcuts={() => setOpen("shortcuts")}
          onLogout={leave}
        />
      )}
      {open === "shortcuts" && <Shortcuts links={links} onClose={() => setOpen(null)} />}
    </>
  );
}

function TickingClock() {
  return <MarketClock reading={useMarketClock()} />;
}
