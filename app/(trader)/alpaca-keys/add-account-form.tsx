"use client";
import { useId, useState, type FormEvent } from "react";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import type { Sent } from "@/lib/contracts/endpoint.ts";
import { SHOWS_ACCOUNTS } from "../../_hooks/shows-accounts.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { Banner } from "../../_ui/banner.tsx";
import { ACCOUNT_TYPES } from "@/lib/domain/enums.ts";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { PasswordField, SelectField, TextField } from "../../_ui/field.tsx";
import { TYPE_LABELS } from "./account-text.ts";

const TYPES = ACCOUNT_TYPES.map((value) => ({ value, label: TYPE_LABELS[value] }));

const ENVIRONMENTS = [
  { value: "PAPER", label: "Paper" },
  { value: "LIVE", label: "Live" },
] as const;

type Choice = Pick<Sent<typeof accountsApi.add>, "accountType" | "environment">;

const MISSING = "Alpaca API key and secret are required";

interface AddAccountProps {
  onAdded: () => void;
  onStart: () => void;
}

/** The keys are asked for here; all else is checked by the server. */
function useAdding({ onAdded, onStart }: AddAccountProps) {
  const [problems, setProblems] = useState<Record<string, string>>({});
  const adding = useAction(accountsApi.add, { refreshes: SHOWS_ACCOUNTS });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    onStart();
    const form = event.currentTarget;
    const entered = Object.fromEntries(new FormData(form)) as Record<string, string>;
    const missing = ["alpacaKey", "alpacaSecret"].filter((name) => entered[name]?.trim() === "");
    if (missing.length > 0) {
      adding.reset();
      setProblems(Object.fromEntries(missing.map((name) => [name, MISSING])));
      return;
    }
    setProblems({});
    const { name, ...rest } = entered as Record<"name" | "alpacaKey" | "alpacaSecret", string> & Choice;
    adding.run(
      { ...rest, ...(name.trim() === "" ? {} : { name }) },
      {
        onSuccess: () => {
          form.reset();
          onAdded();
        },
      },
    );
  }

  const isMissing = Object.values(problems).includes(MISSING);
  const server = Object.fromEntries((adding.failure?.issues ?? []).map((issue) => [issue.path, issue.message]));
  // The sentence about missing keys stands once, above the form; the fields are marked.
  const errorOf = (name: string) => problems[name] ?? server[name];
  return { submit, isBusy: adding.isBusy, failure: adding.failure, isMissing, errorOf };
}

export function AddAccountForm({ onAdded, onStart }: AddAccountProps) {
  const formId = useId();
  const [isLive, setLive] = useState(false);
  const { submit, isBusy, failure, isMissing, errorOf } = useAdding({
    onStart,
    onAdded: () => {
      setLive(false);
      onAdded();
    },
  });
  return (
    <Card title="Add an account with API keys">
      <form aria-labelledby={formId} noValidate onSubmit={submit} className="flex flex-col gap-4">
        <span id={formId} className="sr-only">
          Add an Alpaca account with its API keys
        </span>
        {isMissing && <Banner kind="failure">{MISSING}</Banner>}
        {failure !== null && (
          <Banner kind="failure" detail={failure.message}>
            Failed to add account
          </Banner>
        )}
        <TextField
          name="name"
          label="Account name (optional)"
          maxLength={80}
          autoComplete="off"
          error={errorOf("name")}
        />
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
          <SelectField name="accountType" label="Account type" options={TYPES} defaultValue="INDIVIDUAL" />
          <SelectField
            name="environment"
            label="Environment"
            options={ENVIRONMENTS}
            defaultValue="PAPER"
            onChange={(event) => setLive(event.target.value === "LIVE")}
          />
        </div>
        {isLive && (
          <Banner
            kind="warning"
            detail="The account is added, but nothing is traded in it until you confirm it by its number and switch off Paper Trading Only in the settings."
          >
            Real money
          </Banner>
        )}
        <TextField
          name="alpacaKey"
          label="Alpaca API key"
          autoComplete="off"
          spellCheck={false}
          error={marked(errorOf("alpacaKey"))}
        />
        <PasswordField
          name="alpacaSecret"
          label="Alpaca API secret"
          autoComplete="off"
          hint="Checked with Alpaca, stored encrypted and never shown again."
          error={marked(errorOf("alpacaSecret"))}
        />
        <Button type="submit" disabled={isBusy}>
          {isBusy ? "Checking the keys..." : "Add account"}
        </Button>
      </form>
    </Card>
  );
}

const marked = (error: string | undefined) => (error === MISSING ? "Required" : error);
