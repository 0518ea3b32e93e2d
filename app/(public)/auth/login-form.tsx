"use client";
import { useState, type FormEvent } from "react";
import { CallError } from "@/lib/client/api.ts";
import { login } from "../../_hooks/use-session.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button, TextButton } from "../../_ui/button.tsx";
import { PasswordField, TextField } from "../../_ui/field.tsx";
import { loginSentence, type Sentence } from "./sentences.ts";

interface LoginFormProps {
  onSignUp: () => void;
  onForgot: () => void;
  onResend: () => void;
}

export function LoginForm({ onSignUp, onForgot, onResend }: LoginFormProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Sentence | null>(null);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const entered = new FormData(event.currentTarget);
    setBusy(true);
    setFailure(null);
    try {
      await login({ email: String(entered.get("email")), password: String(entered.get("password")) });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setFailure(loginSentence(error));
      setBusy(false);
    }
  }

  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">Sign in to Tradewind</h1>
      <form onSubmit={(event) => void submit(event)} className="mt-6 flex flex-col gap-4">
        {failure !== null && (
          <Banner kind="failure" detail={failure.detail}>
            {failure.text}
          </Banner>
        )}
        <TextField name="email" type="email" label="Email" autoComplete="username" required />
        <PasswordField name="password" label="Password" autoComplete="current-password" required />
        <Button type="submit" disabled={isBusy} className="mt-2">
          {isBusy ? "Signing in..." : "Sign In"}
        </Button>
      </form>
      <div className="mt-6 flex flex-col items-start gap-3 text-sm">
        <TextButton onClick={onForgot}>Forgot your password?</TextButton>
        <TextButton onClick={onResend}>Resend verification email?</TextButton>
        <p className="text-muted">
          New to Tradewind? <TextButton onClick={onSignUp}>Sign up</TextButton>
        </p>
      </div>
    </>
  );
}
