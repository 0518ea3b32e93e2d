"use client";
import { useEffect, useRef, useState } from "react";
import { call, CallError } from "@/lib/client/api.ts";
import { signWithPasskey } from "@/lib/client/passkeys.ts";
import { authCalls } from "@/lib/contracts/auth-calls.ts";
import type { Sent } from "@/lib/contracts/endpoint.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import { keepSignIn, type AwaitedFactor } from "../../_hooks/use-session.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button, TextButton } from "../../_ui/button.tsx";
import { FactorForm, type TypedFactor } from "../../_ui/factor-form.tsx";
import { Heading } from "./form-parts.tsx";

/** Counted here from the answer on, because the clocks of browsers are wrong at times; the server's own end counts anyway. */
const TICKET_MS = 5 * MINUTE_MS;

interface SecondFactorFormProps {
  awaited: AwaitedFactor;
  onBack: () => void;
}

/** The second step of a sign-in. It ends with its ticket: after five minutes, or after too many wrong answers. */
export function SecondFactorForm({ awaited: { ticket, methods }, onBack }: SecondFactorFormProps) {
  const [end, setEnd] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setEnd("The five minutes for this step are over. Please sign in again."), TICKET_MS);
    return () => clearTimeout(timer);
  }, []);

  async function untilOver(work: () => Promise<void>) {
    try {
      await work();
    } catch (error) {
      if (error instanceof CallError && error.status === 401) setEnd(error.message);
      throw error;
    }
  }

  async function complete(factor: TypedFactor | Pick<Sent<typeof authCalls.secondFactor>, "passkey">) {
    keepSignIn(await call(authCalls.secondFactor, { ticket, ...factor }));
  }

  async function signInByPasskey() {
    const { options } = await call(authCalls.secondFactorOptions, { ticket });
    await complete({ passkey: await signWithPasskey(options) });
  }

  if (end !== null) return <Over text={end} onBack={onBack} />;
  return (
    <>
      <Heading takesFocus={false}>One more step</Heading>
      <p className="mt-2 mb-6 text-sm text-muted">
        Your password is correct. Now confirm that it is you: you have five minutes.
      </p>
      <FactorForm
        methods={methods}
        onTyped={(given) => untilOver(() => complete(given))}
        onPasskey={() => untilOver(signInByPasskey)}
      />
      <p className="mt-6 border-t border-line pt-4 text-sm">
        <TextButton onClick={onBack}>Back to sign in</TextButton>
      </p>
    </>
  );
}

function Over({ text, onBack }: { text: string; onBack: () => void }) {
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  return (
    <>
      <Heading takesFocus={false}>One more step</Heading>
      <div className="mt-6 flex flex-col gap-4">
        <Banner kind="warning">{text}</Banner>
        <Button ref={back} onClick={onBack} className="w-full">
          Sign in again
        </Button>
      </div>
    </>
  );
}
