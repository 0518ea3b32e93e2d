"use client";
import { CircleCheck, CircleX } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { rememberNotice } from "@/lib/client/storage.ts";
import { ButtonLink } from "../../../_ui/button-link.tsx";
import { Result } from "../result.tsx";
import { ResetForm } from "./reset-form.tsx";

const LEAVES_AFTER_MS = 3000;

/** Opening the link does nothing, so that a mail scanner cannot use it up: only the form's button does. */
export function ResetScreen({ token }: { token: string | null }) {
  const [isDone, setDone] = useState(false);
  const router = useRouter();

  useEffect(() => {
    if (!isDone) return;
    // The used link does not stay in the history.
    rememberNotice("reset");
    const timer = setTimeout(() => router.replace("/auth"), LEAVES_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isDone, router]);

  if (token === null) {
    return (
      <Result
        Icon={CircleX}
        look="text-loss"
        title="Invalid Reset Link"
        text="This link contains no reset token. Please request a new password reset."
      >
        <ButtonLink href="/auth">Go to Login</ButtonLink>
        <ButtonLink href="/auth?view=forgot" tone="secondary">
          Request a new link
        </ButtonLink>
      </Result>
    );
  }
  if (isDone) {
    return (
      <Result
        Icon={CircleCheck}
        look="text-gain"
        takesFocus
        title="Password Reset Successfully!"
        text="You can now sign in with your new password. Earlier sign-ins have ended. Taking you to the login page..."
      >
        <ButtonLink href="/auth" replace>
          Go to Login
        </ButtonLink>
      </Result>
    );
  }
  return <ResetForm token={token} onDone={() => setDone(true)} />;
}
