"use client";
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import type { StepUpMethod } from "@/lib/contracts/second-factor.ts";
import { useAttempt } from "../_hooks/use-attempt.ts";
import { Banner } from "./banner.tsx";
import { Button, TextButton } from "./button.tsx";
import { CodeField } from "./code-field.tsx";
import { PasswordField, TextField } from "./field.tsx";

/** What was typed, under the name by which the server knows it. */
export type TypedFactor = { code: string } | { recoveryCode: string } | { password: string };

const OTHER_WAYS: Record<StepUpMethod, string> = {
  code: "Use a code from your authenticator app",
  passkey: "Use a passkey",
  recovery_code: "Use a recovery code",
  password: "Use your password",
};

const typedAs = (method: StepUpMethod, text: string): TypedFactor => {
  if (method === "code") return { code: text };
  return method === "recovery_code" ? { recoveryCode: text } : { password: text };
};

const FIELDS = ["code", "recoveryCode", "password"];

interface FactorFormProps {
  /** The ways that are open, the usual one first. */
  methods: readonly StepUpMethod[];
  /** Both throw CallError. */
  onTyped: (given: TypedFactor) => Promise<void>;
  onPasskey: () => Promise<void>;
  /** Stands beside the main button. */
  aside?: ReactNode;
}

/** Asks for one proof of who the person is, in the usual way first; every other open way is one press away. */
export function FactorForm({ methods, onTyped, onPasskey, aside }: FactorFormProps) {
  const [method, setMethod] = useState<StepUpMethod>(methods[0] ?? "password");
  return (
    <div className="flex flex-col gap-4">
      {/* A way of its own starts empty and takes the focus. */}
      <Way key={method} method={method} onTyped={onTyped} onPasskey={onPasskey} aside={aside} />
      {methods.length > 1 && (
        <div className="flex flex-col items-start gap-3 text-sm">
          {methods
            .filter((each) => each !== method)
            .map((each) => (
              <TextButton key={each} onClick={() => setMethod(each)}>
                {OTHER_WAYS[each]}
              </TextButton>
            ))}
        </div>
      )}
    </div>
  );
}

function Way({ method, onTyped, onPasskey, aside }: Omit<FactorFormProps, "methods"> & { method: StepUpMethod }) {
  const [typed, setTyped] = useState("");
  const { run, isBusy, failure } = useAttempt();
  const control = useRef<HTMLInputElement & HTMLButtonElement>(null);
  useEffect(() => control.current?.focus(), []);

  const issue = failure?.issues.find(({ path }) => FIELDS.includes(path))?.message;
  const isEmpty = method !== "passkey" && typed.trim() === "";

  async function hand(text: string) {
    const isDone = await run(() => (method === "passkey" ? onPasskey() : onTyped(typedAs(method, text))));
    if (isDone) return;
    // The next code is another one.
    if (method === "code") setTyped("");
    control.current?.focus();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isEmpty) void hand(typed);
  }

  const field = {
    ref: control,
    value: typed,
    error: issue,
    onChange: (event: { target: { value: string } }) => setTyped(event.target.value),
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      {failure !== null && issue === undefined && <Banner kind="failure">{failure.message}</Banner>}
      {method === "code" && (
        <CodeField
          inputRef={control}
          value={typed}
          error={issue}
          onChange={setTyped}
          onComplete={(digits) => void hand(digits)}
        />
      )}
      {method === "recovery_code" && (
        <TextField
          {...field}
          name="recoveryCode"
          label="Recovery code"
          hint="One of the codes that you saved. Each works once."
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
      )}
      {method === "password" && (
        <PasswordField {...field} name="password" label="Your password" autoComplete="current-password" />
      )}
      {method === "passkey" && (
        <p className="text-sm text-muted">
          Your browser will ask for the passkey: with your fingerprint, your face, a PIN or a security key.
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        {aside}
        <Button
          {...(method === "passkey" ? { ref: control } : {})}
          type="submit"
          disabled={isBusy || isEmpty}
          className={aside === undefined ? "w-full" : ""}
        >
          {isBusy ? "Checking..." : method === "passkey" ? "Use a passkey" : "Continue"}
        </Button>
      </div>
    </form>
  );
}
