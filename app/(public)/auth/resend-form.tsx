"use client";
import { call } from "@/lib/client/api.ts";
import { authCalls } from "@/lib/contracts/auth-calls.ts";
import { EmailForm } from "./email-form.tsx";
import { resendSentence } from "./sentences.ts";
import type { Draft } from "./use-draft.ts";

async function resend(email: string): Promise<string> {
  // The specification sends this call to its full path, whatever the configured base.
  const answer = (await call(authCalls.resendVerification, { email }, { base: "/api/v1" })) as {
    message?: string;
  } | null;
  return answer?.message || "A new verification email has been sent to your email address.";
}

export function ResendForm(props: { draft: Draft; onBack: () => void }) {
  return (
    <EmailForm
      title="Resend verification email"
      submitText="Send verification email"
      send={resend}
      failureSentence={resendSentence}
      {...props}
    />
  );
}
