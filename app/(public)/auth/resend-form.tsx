"use client";
import { useEffect, useState, type FormEvent } from "react";
import { call, CallError } from "@/lib/client/api.ts";
import { authApi } from "@/lib/contracts/auth.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button, TextButton } from "../../_ui/button.tsx";
import { TextField } from "../../_ui/field.tsx";

const CLOSES_AFTER_MS = 3000;

export function ResendForm({ onBack }: { onBack: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [success, setSuccess] = useState<string | null>(null);

  useEffect(() => {
    if (success === null) return;
    const timer = setTimeout(onBack, CLOSES_AFTER_MS);
    return () => clearTimeout(timer);
  }, [success, onBack]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get("email"));
    setBusy(true);
    setFailure(null);
    try {
      // The specification sends this call to its full path, whatever the configured base.
      const { message } = await call(authApi.resendVerification, { email }, { base: "/api/v1" });
      setSuccess(message || "A new verification email has been sent to your email address.");
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setFailure(error.message);
    }
    setBusy(false);
  }

  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">Resend verification email</h1>
      <form onSubmit={(event) => void submit(event)} className="mt-6 flex flex-col gap-4">
        {success !== null && <Banner kind="success">{success}</Banner>}
        {failure !== null && (
          <Banner kind="failure" detail={failure}>
            Failed to send verification email.
          </Banner>
        )}
        <TextField name="email" type="email" label="Email" autoComplete="email" required />
        <Button type="submit" disabled={isBusy || success !== null}>
          {isBusy ? "Sending..." : "Send verification email"}
        </Button>
      </form>
      <p className="mt-6 text-sm">
        <TextButton onClick={onBack}>Back to login</TextButton>
      </p>
    </>
  );
}
