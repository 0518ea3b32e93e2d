"use client";
import { useState, type FormEvent } from "react";
import { ACCESS_TOKEN_BOUNDS, accessTokensApi, READ_OPENS } from "@/lib/contracts/access-tokens.ts";
import type { Sent } from "@/lib/contracts/endpoint.ts";
import type { AccessTokenScopeName } from "@/lib/domain/enums.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { SelectField, TextField } from "../../_ui/field.tsx";

const SCOPES: { value: AccessTokenScopeName; label: string; hint: string }[] = [
  { value: "READ", label: "Read", hint: `Can read ${READ_OPENS}.` },
  {
    value: "STEER",
    label: "Read and control",
    hint: "Can also pause and resume automation and accounts, sell positions, tighten stops and save trading preferences. It cannot loosen a protection or lift a stop.",
  },
];

const TERMS = ACCESS_TOKEN_BOUNDS.days.map((days) => ({ value: String(days), label: `${days} days` }));

interface MakeAccessTokenProps {
  onCancel: () => void;
  onMade: (secret: string) => void;
}

export function MakeAccessToken({ onCancel, onMade }: MakeAccessTokenProps) {
  const [name, setName] = useState("");
  const [scope, setScope] = useState<AccessTokenScopeName>("READ");
  const [days, setDays] = useState(String(ACCESS_TOKEN_BOUNDS.defaultDays));
  const making = useAction(accessTokensApi.make, { refreshes: [accessTokensApi.list] });
  const issue = making.failure?.issues.find(({ path }) => path === "name")?.message;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const expiresInDays = Number(days) as Sent<typeof accessTokensApi.make>["expiresInDays"];
    if (name.trim() !== "") making.run({ name, scope, expiresInDays }, { onSuccess: ({ secret }) => onMade(secret) });
  };
  return (
    <form onSubmit={submit} noValidate className="flex w-full flex-col gap-4">
      {making.failure !== null && issue === undefined && (
        <Banner kind="failure" detail={making.failure.message}>
          The access token was not made
        </Banner>
      )}
      <TextField
        label="Name of the access token"
        hint="The program that uses it: “Spreadsheet”, “Home server”."
        value={name}
        maxLength={ACCESS_TOKEN_BOUNDS.name}
        autoComplete="off"
        autoFocus
        error={issue}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField
        label="What it may do"
        hint={SCOPES.find(({ value }) => value === scope)?.hint}
        value={scope}
        options={SCOPES}
        onChange={(event) => setScope(event.target.value as AccessTokenScopeName)}
      />
      <SelectField
        label="Expires after"
        value={days}
        options={TERMS}
        onChange={(event) => setDays(event.target.value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" disabled={making.isBusy || name.trim() === ""}>
          {making.isBusy ? "Making..." : "Make access token"}
        </Button>
        <Button tone="secondary" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
