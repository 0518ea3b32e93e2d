"use client";
import { call } from "@/lib/client/api.ts";
import { authApi } from "@/lib/contracts/auth.ts";
import { EmailForm } from "./email-form.tsx";
import { resendSentence } from "./sentences.ts";

async function resend(email: string): Promise<string> {
  // The specification sends this call to its full path, whatever the configured base.
  const { message } = await call(authApi.resendVerification, { email }, { base: "/api/v1" });
  return message || "A new verification email has been sent to your email address.";
}

export function ResendForm({ onBack }: { onBack: () => void }) {
  return (
    <EmailForm
      title="Resend verification email"
      submitText="Send verification email"
      send={resend}
      failureSentence={resendSentence}
      onBack={onBack}
    />
  );
}
