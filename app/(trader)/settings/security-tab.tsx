"use client";
import { useState, type FormEvent } from "react";
import type { CallError } from "@/lib/client/api.ts";
import { failureText } from "@/lib/client/failure-text.ts";
import { ownEndpoint } from "@/lib/client/push.ts";
import { PASSWORD_HINT } from "@/lib/contracts/auth-calls.ts";
import { changePassword } from "../../_hooks/end-sign-in.ts";
import { Button } from "../../_ui/button.tsx";
import { ButtonLink } from "../../_ui/button-link.tsx";
import { Card } from "../../_ui/card.tsx";
import { PasswordField } from "../../_ui/field.tsx";
import { failed, succeeded, type TabProps } from "./save-note.ts";
import { useDraft } from "./use-draft.ts";
import { YourData } from "./your-data.tsx";

const EMPTY = { currentPassword: "", newPassword: "", confirmation: "" };

/** What is wrong before anything is sent; null when nothing is. */
function problemOf(entered: typeof EMPTY, email: string): string | null {
  if (Object.values(entered).includes("")) return "All password fields are required";
  if (entered.newPassword !== entered.confirmation) return "New passwords do not match";
  if (entered.newPassword.length < 8) return "New password must be at least 8 characters long";
  return email === "" ? "User email not found" : null;
}

export function SecurityTab({ user, onNote, onUnsaved }: TabProps) {
  const { entered, enter } = useDraft(EMPTY, onUnsaved);
  const [isBusy, setBusy] = useState(false);
  const [issues, setIssues] = useState<CallError["issues"]>([]);
  const field = (name: keyof typeof EMPTY) => ({
    value: entered[name],
    error: issues.find((issue) => issue.path === name)?.message,
    onChange: (event: { target: { value: string } }) => enter({ [name]: event.target.value }),
  });

  async function submit(event: FormEvent) {
    event.preventDefault();
    onNote(null);
    setIssues([]);
    const problem = problemOf(entered, user.email);
    if (problem !== null) return onNote({ kind: "failure", text: problem });
    setBusy(true);
    const { currentPassword, newPassword } = entered;
    try {
      const pushEndpoint = await ownEndpoint().catch(() => null);
      const here = pushEndpoint === null ? {} : { pushEndpoint };
      await changePassword({ email: user.email, currentPassword, newPassword, ...here });
      enter(EMPTY);
      onNote(succeeded("Password changed successfully!"));
    } catch (error) {
      const failure = error as CallError;
      setIssues(failure.issues ?? []);
      onNote(failed("security", failureText(failure, "Failed to change password")));
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="flex max-w-2xl flex-col gap-4">
      <Card title="Change password">
        <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-4">
          <input type="text" autoComplete="username" value={user.email} readOnly hidden />
          <PasswordField label="Current password" autoComplete="current-password" {...field("currentPassword")} />
          <PasswordField
            label="New password"
            autoComplete="new-password"
            hint={PASSWORD_HINT}
            {...field("newPassword")}
          />
          <PasswordField label="Confirm new password" autoComplete="new-password" {...field("confirmation")} />
          <p className="text-sm text-muted">
            Changing the password ends all your other sign-ins and revokes all your access tokens.
          </p>
          <Button type="submit" disabled={isBusy} className="self-start">
            {isBusy ? "Saving..." : "Update Password"}
          </Button>
        </form>
      </Card>
      <Card title="Sign-in and security">
        <div className="flex flex-col items-start gap-3">
          <p>
            Set up an authenticator app or passkeys, see where you are signed in, and make access tokens for programs.
          </p>
          <ButtonLink href="/security" tone="secondary">
            Open sign-in and security
          </ButtonLink>
        </div>
      </Card>
      <YourData />
    </div>
  );
}
