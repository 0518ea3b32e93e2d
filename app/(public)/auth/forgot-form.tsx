"use client";
import { call } from "@/lib/client/api.ts";
import { authCalls, RESET_REQUESTED } from "@/lib/contracts/auth-calls.ts";
import { EmailForm } from "./email-form.tsx";
import { forgotSentence } from "./sentences.ts";
import type { Draft } from "./use-draft.ts";

async function requestReset(email: string): Promise<string> {
  await call(authCalls.forgotPassword, { email });
  return RESET_REQUESTED;
}

export function ForgotForm(props: { draft: Draft; onBack: () => void }) {
  return (
    <EmailForm
      title="Reset your password"
      submitText="Send reset instructions"
      send={requestReset}
      failureSentence={forgotSentence}
      {...props}
    />
  );
}
