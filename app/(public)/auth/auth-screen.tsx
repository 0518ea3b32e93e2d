"use client";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useState } from "react";
import { rememberRoute, takeRoute } from "@/lib/client/storage.ts";
import { endSession, useSession } from "../../_hooks/use-session.ts";
import { ForgotForm } from "./forgot-form.tsx";
import { LoginForm } from "./login-form.tsx";
import { RegisterForm } from "./register-form.tsx";
import { ResendForm } from "./resend-form.tsx";

type View = "login" | "register" | "forgot" | "resend";

/** True once a sign-in of this tab was sent on from here: coming back means that the server does not know it. */
let hasSentOn = false;

/** `from` is the page that sent the visitor here, if one did. */
export function AuthScreen({ from }: { from: string | null }) {
  const [view, setView] = useState<View>("login");
  const showLogin = useCallback(() => setView("login"), []);
  const { status } = useSession();
  const router = useRouter();

  useEffect(() => {
    if (from !== null) rememberRoute(from);
  }, [from]);

  useEffect(() => {
    if (status !== "signed-in") return;
    if (hasSentOn && from !== null) return endSession();
    hasSentOn = true;
    router.replace(takeRoute());
  }, [status, from, router]);

  if (status !== "signed-out") {
    return (
      <p role="status" className="px-4 py-24 text-center text-muted">
        Loading...
      </p>
    );
  }
  return (
    <div className="mx-auto w-full max-w-md px-4 py-6 sm:py-12">
      <div className="rounded-2xl border border-line bg-surface p-6 sm:p-8">
        {view === "login" && (
          <LoginForm
            onSignUp={() => setView("register")}
            onForgot={() => setView("forgot")}
            onResend={() => setView("resend")}
          />
        )}
        {view === "register" && <RegisterForm onSignIn={() => setView("login")} onResend={() => setView("resend")} />}
        {view === "forgot" && <ForgotForm onBack={showLogin} />}
        {view === "resend" && <ResendForm onBack={showLogin} />}
      </div>
    </div>
  );
}
