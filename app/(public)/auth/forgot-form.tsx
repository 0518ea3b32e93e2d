"use client";
import { call } from "@/lib/client/api.ts";
import { authApi, RESET_REQUESTED } from "@/lib/contracts/auth.ts";
import { EmailForm } from "./email-form.tsx";
import { forgotSentence } from "./sentences.ts";

async function requestReset(email: string): Promise<string> {
  await call(authApi.forgotPassword, { email });
  return RESET_REQUESTED;
}

export function ForgotForm({ onBack }: { onBack: () => void }) {
  return (
    <EmailForm
      title="Reset your password"
      submitText="Send reset instructions"
      send={requestReset}
      failureSentence={forgotSentence}
      onBack={onBack}
    />
  );
}
