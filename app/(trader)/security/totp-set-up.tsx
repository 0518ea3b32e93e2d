"use client";
import dynamic from "next/dynamic";
import { useEffect, useRef, useState, type FormEvent } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { securityApi } from "@/lib/contracts/security.ts";
import type { useAction } from "../../_hooks/use-action.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { CodeField } from "../../_ui/code-field.tsx";
import { CopyButton } from "../../_ui/copy-button.tsx";

const QrCode = dynamic(() => import("./qr-code.tsx").then((part) => part.QrCode), {
  ssr: false,
  loading: () => <div className="size-44" />,
});

interface TotpSetUpProps {
  secret: Answer<typeof securityApi.startTotp>;
  confirming: ReturnType<typeof useAction<typeof securityApi.confirmTotp>>;
  onFailure: () => void;
  onCancel: () => void;
  onDone: (recoveryCodes: string[] | null) => void;
}

/** The secret goes into the app, and a code of the app proves it. Nothing counts before. */
export function TotpSetUp({ secret: { secret, uri }, confirming, onFailure, onCancel, onDone }: TotpSetUpProps) {
  const [code, setCode] = useState("");
  const start = useRef<HTMLParagraphElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => start.current?.focus(), []);
  const issue = confirming.failure?.issues.find(({ path }) => path === "code")?.message;

  function confirm(digits: string) {
    if (confirming.isBusy) return;
    confirming.run(
      { code: digits },
      {
        onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
        onFailure: () => {
          setCode("");
          input.current?.focus();
          onFailure();
        },
      },
    );
  }

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code !== "") confirm(code);
  };
  return (
    <form onSubmit={submit} noValidate className="flex w-full flex-col gap-4 border-t border-line pt-4">
      <p ref={start} tabIndex={-1} className="rounded-sm">
        1. Scan this with your authenticator app, or type the key into it.
      </p>
      <div className="flex flex-wrap items-center gap-4">
        <QrCode text={uri} label="QR code for your authenticator app" />
        <div className="flex min-w-0 flex-1 basis-48 flex-col items-start gap-2">
          <span className="text-muted">Key</span>
          <code className="font-mono text-base wrap-anywhere" data-testid="totp-secret">
            {secret.replace(/(.{4})(?=.)/g, "$1 ")}
          </code>
          <CopyButton text={secret}>Copy key</CopyButton>
        </div>
      </div>
      <p>2. Enter the code that the app shows now.</p>
      {confirming.failure !== null && issue === undefined && (
        <Banner kind="failure">{confirming.failure.message}</Banner>
      )}
      <CodeField inputRef={input} value={code} error={issue} onChange={setCode} onComplete={confirm} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" disabled={confirming.isBusy || code === ""}>
          {confirming.isBusy ? "Checking..." : "Confirm"}
        </Button>
        <Button tone="secondary" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
