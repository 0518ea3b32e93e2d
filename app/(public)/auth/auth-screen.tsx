"use client";
import { useRouter, useSearchParams } from "next/navigation";
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { dropNotice, readNotice, rememberRoute, takeRoute } from "@/lib/client/storage.ts";
import { lookAgain, useSession, type AwaitedFactor } from "../../_hooks/use-session.ts";
import { LoginForm } from "./login-form.tsx";
import { useDraft } from "./use-draft.ts";

// Most people come to sign in, and without a second factor: what else there is comes when it is opened.
const SecondFactorForm = lazy(() =>
  import("./second-factor-form.tsx").then((part) => ({ default: part.SecondFactorForm })),
);
const RegisterForm = lazy(() => import("./register-form.tsx").then((part) => ({ default: part.RegisterForm })));
const ForgotForm = lazy(() => import("./forgot-form.tsx").then((part) => ({ default: part.ForgotForm })));
const ResendForm = lazy(() => import("./resend-form.tsx").then((part) => ({ default: part.ResendForm })));

const VIEWS = ["login", "register", "forgot", "resend", "second-factor"] as const;
type View = (typeof VIEWS)[number];

/** The view is kept in the address (`?view=`): each has a link of its own, and "Back" leads from one to the one before. */
function useView(): [View, (view: View) => void] {
  const asked = useSearchParams().get("view");
  const open = useCallback((view: View) => {
    window.history.pushState(null, "", view === "login" ? "/auth" : `/auth?view=${view}`);
  }, []);
  return [VIEWS.find((view) => view === asked) ?? "login", open];
}

/** True once a sign-in of this tab was sent on from here: coming back means that the server did not know it. */
let hasSentOn = false;

/** `from` is the page that sent the visitor here, if one did. */
export function AuthScreen({ from }: { from: string | null }) {
  const session = useSession();
  const { status } = session;
  const router = useRouter();
  const wasStranger = useRef(false);
  const isSent = useRef(false);
  const hasLooked = useRef(false);

  useEffect(() => {
    if (from === null) return;
    rememberRoute(from);
    window.history.replaceState(null, "", "/auth");
  }, [from]);

  useEffect(() => {
    if (status === "signed-out") {
      wasStranger.current = true;
      isSent.current = false;
    }
    if (status !== "signed-in" || isSent.current) return;
    if (hasSentOn && from !== null && !hasLooked.current) {
      // Whether the sign-in has ended, its token tells; looking also renews the cookie by which pages know it.
      hasLooked.current = true;
      return lookAgain();
    }
    isSent.current = true;
    hasSentOn = true;
    const route = takeRoute();
    // Who came here signed in asked for no other page: what an earlier visitor wanted is not theirs.
    router.replace(wasStranger.current || from !== null ? route : "/dashboard");
  }, [status, from, router]);

  if (status === "signed-out") return <Views />;
  const isUnreachable = session.status === "loading" && session.isUnreachable;
  return (
    // As wide and as tall as the form that takes its place, so that nothing moves.
    <div role="status" className="mx-auto min-h-126 w-full max-w-md px-4 pt-24 text-center text-muted sm:min-h-137.5">
      <p>Loading...</p>
      {isUnreachable && <p className="mt-2 text-sm">Tradewind could not be reached. Trying again.</p>}
    </div>
  );
}

/** What a visitor sees who is known to be signed out. What there is to say to them is said once. */
function Views() {
  const [asked, open] = useView();
  const [notice] = useState(readNotice);
  const [awaited, setAwaited] = useState<AwaitedFactor | null>(null);
  const openLogin = useCallback(() => {
    setAwaited(null);
    open("login");
  }, [open]);
  const draft = useDraft();
  useEffect(dropNotice, []);
  const awaitFactor = (factor: AwaitedFactor) => {
    setAwaited(factor);
    open("second-factor");
  };
  // The step's own address leads nowhere without the password before it.
  const view = asked === "second-factor" && awaited === null ? "login" : asked;

  return (
    <div className="mx-auto w-full max-w-md px-4 py-6 sm:py-12">
      <div className="rounded-2xl border border-line bg-surface p-6 sm:p-8">
        <Suspense fallback={<p className="min-h-96 text-muted">Loading...</p>}>
          {view === "second-factor" && awaited !== null && <SecondFactorForm awaited={awaited} onBack={openLogin} />}
          {view === "login" && (
            <LoginForm
              notice={notice}
              onSecondFactor={awaitFactor}
              onSignUp={() => open("register")}
              onForgot={() => open("forgot")}
              onResend={() => open("resend")}
              draft={draft}
            />
          )}
          {view === "register" && <RegisterForm onSignIn={openLogin} onResend={() => open("resend")} draft={draft} />}
          {view === "forgot" && <ForgotForm onBack={openLogin} draft={draft} />}
          {view === "resend" && <ResendForm onBack={openLogin} draft={draft} />}
        </Suspense>
      </div>
    </div>
  );
}
