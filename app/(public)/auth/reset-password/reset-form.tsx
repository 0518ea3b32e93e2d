"use client";
import Link from "next/link";
import { useState, type FormEvent } from "react";
import { call, CallError } from "@/lib/client/api.ts";
import { authApi, PASSWORD_HINT } from "@/lib/contracts/auth.ts";
import { endSession } from "../../../_hooks/use-session.ts";
import { Banner } from "../../../_ui/banner.tsx";
import { Button } from "../../../_ui/button.tsx";
import { PasswordField } from "../../../_ui/field.tsx";
import { resetProblem, resetSentence } from "../sentences.ts";

export function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const entered = new FormData(event.currentTarget);
    const password = String(entered.get("newPassword"));
    const problem = resetProblem({ token, password, confirmation: String(entered.get("confirmPassword")) });
    setFailure(problem);
    if (problem !== null) return;
    setBusy(true);
    try {
      await call(authApi.resetPassword, { token, newPassword: password });
      // The sign-in that this browser may still hold has ended too.
      endSession();
      onDone();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setFailure(resetSentence(error).text);
      setBusy(false);
    }
  }

  return (
    <div className="mx-auto w-full max-w-md px-4 py-6 sm:py-12">
      <div className="rounded-2xl border border-line bg-surface p-6 sm:p-8">
        <h1 className="text-2xl font-semibold tracking-tight">Choose a new password</h1>
        <form onSubmit={(event) => void submit(event)} className="mt-6 flex flex-col gap-4">
          {failure !== null && <Banner kind="failure">{failure}</Banner>}
          <PasswordField
            name="newPassword"
            label="New password"
            autoComplete="new-password"
            required
            hint={PASSWORD_HINT}
          />
          <PasswordField name="confirmPassword" label="Confirm new password" autoComplete="new-password" required />
          <Button type="submit" disabled={isBusy} className="mt-2">
            {isBusy ? "Resetting..." : "Reset Password"}
          </Button>
        </form>
        <p className="mt-6 text-sm">
          <Link
            href="/auth"
            className="inline-flex min-h-6 items-center rounded-sm font-medium text-accent underline-offset-4 hover:underline"
          >
            Back to Login
          </Link>
        </p>
      </div>
    </div>
  );
}
