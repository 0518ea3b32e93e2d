"use client";
import { useRouter } from "next/navigation";
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { rememberRoute, takeRoute } from "@/lib/client/storage.ts";
import { endSession, useSession, type AwaitedFactor } from "../../_hooks/use-session.ts";
import { ForgotForm } from "./forgot-form.tsx";
import { LoginForm } from "./login-form.tsx";
import { RegisterForm } from "./register-form.tsx";
import { ResendForm } from "./resend-form.tsx";
import { useDraft } from "./use-draft.ts";

// Most people sign in without it.
const SecondFactorForm = lazy(() =>
  import("./second-factor-form.tsx").then((part) => ({ default: part.SecondFactorForm })),
);

type View = "login" | "register" | "forgot" | "resend";

/** True once a sign-in of this tab was sent on from here: coming back means that the server does not know it. */
let hasSentOn = false;

/** `from` is the page that sent the visitor here, if one did. */
export function AuthScreen({ from }: { from: string | null }) {
  const [view, setView] = useState<{ name: View; isOpened: boolean }>({ name: "login", isOpened: false });
  const open = useCallback((name: View) => setView({ name, isOpened: true }), []);
  const [awaited, setAwaited] = useState<AwaitedFactor | null>(null);
  const openLogin = useCallback(() => {
    setAwaited(null);
    open("login");
  }, [open]);
  const draft = useDraft();
  const session = useSession();
  const { status } = session;
  const router = useRouter();
  const wasStranger = useRef(false);
  const isSent = useRef(false);

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
    isSent.current = true;
    if (hasSentOn && from !== null) return endSession();
    hasSentOn = true;
    const route = takeRoute();
    // Who came here signed in asked for no other page: what an earlier visitor wanted is not theirs.
    router.replace(wasStranger.current || from !== null ? route : "/dashboard");
  }, [status, from, router]);

  if (status !== "signed-out") {
    const isUnreachable = session.status === "loading" && session.isUnreachable;
    return (
      // As wide and as tall as the form that takes its place, so that nothing moves.
      <div role="status" className="mx-auto min-h-126 w-full max-w-md px-4 pt-24 text-center text-muted sm:min-h-137.5">
        <p>Loading...</p>
        {isUnreachable && <p className="mt-2 text-sm">Tradewind could not be reached. Trying again.</p>}
      </div>
    );
  }
  const shared = { draft, takesFocus: view.isOpened };
  return (
    <div className="mx-auto w-full max-w-md px-4 py-6 sm:py-12">
      <div className="rounded-2xl border border-line bg-surface p-6 sm:p-8">
        {awaited === null ? (
          <>
            {view.name === "login" && (
              <LoginForm
                onSecondFactor={setAwaited}
                onSignUp={() => open("register")}
                onForgot={() => open("forgot")}
                onResend={() => open("resend")}
                {...shared}
              />
            )}
            {view.name === "register" && (
              <RegisterForm onSignIn={openLogin} onResend={() => open("resend")} {...shared} />
            )}
            {view.name === "forgot" && <ForgotForm onBack={openLogin} {...shared} />}
            {view.name === "resend" && <ResendForm onBack={openLogin} {...shared} />}
          </>
        ) : (
          <Suspense fallback="Loading...">
            <SecondFactorForm awaited={awaited} onBack={openLogin} />
          </Suspense>
        )}
      </div>
    </div>
  );
}
