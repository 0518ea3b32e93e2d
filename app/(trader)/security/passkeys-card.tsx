"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { call } from "@/lib/client/api.ts";
import { makePasskey } from "@/lib/client/passkeys.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { SECURITY_BOUNDS, securityApi } from "@/lib/contracts/security.ts";
import { useAttempt } from "../../_hooks/use-attempt.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { TextField } from "../../_ui/field.tsx";
import type { FactorCardProps } from "./factor-text.ts";
import { FoundFactor } from "./found-factor.tsx";
import { PasskeyRow } from "./passkey-row.tsx";

interface PasskeysCardProps extends FactorCardProps {
  passkeys: Answer<typeof securityApi.read>["passkeys"];
  /** False where the address of the product allows none. */
  arePossible: boolean;
}

export function PasskeysCard({ passkeys, arePossible, onNewCodes, ...factor }: PasskeysCardProps) {
  const [isAdding, setAdding] = useState(false);
  const isFull = passkeys.length >= SECURITY_BOUNDS.passkeys;
  return (
    <Card title="Passkeys">
      <div className="flex flex-col items-start gap-3">
        <p>
          Your phone, your computer or a security key confirms that it is you. A passkey works only on this site, so you
          cannot be tricked into giving it away.
        </p>
        {passkeys.length > 0 && (
          <ul aria-label="Your passkeys" className="w-full divide-y divide-line border-y border-line">
            {passkeys.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} {...factor} />
            ))}
          </ul>
        )}
        {!arePossible && (
          <p className="text-muted">
            Passkeys need a site with a domain name. This one is reached at an IP address, where browsers cannot create
            passkeys.
          </p>
        )}
        {isFull && (
          <p className="text-muted">
            You have {passkeys.length} passkeys, which is the maximum. Remove one to add another.
          </p>
        )}
        {arePossible && !isFull && !isAdding && <Button onClick={() => setAdding(true)}>Add a passkey</Button>}
        {isAdding && (
          <AddPasskey
            passkeys={passkeys}
            isLast={factor.isLast}
            onCancel={() => setAdding(false)}
            onDone={(codes) => {
              setAdding(false);
              onNewCodes(codes);
            }}
          />
        )}
      </div>
    </Card>
  );
}

interface AddPasskeyProps extends Pick<PasskeysCardProps, "passkeys" | "isLast"> {
  onCancel: () => void;
  onDone: (recoveryCodes: string[] | null) => void;
}

function AddPasskey({ passkeys, isLast, onCancel, onDone }: AddPasskeyProps) {
  const client = useQueryClient();
  const [known] = useState(passkeys);
  const [name, setName] = useState("");
  const { run, isBusy, failure } = useAttempt();
  const issue = failure?.issues.find(({ path }) => path === "name")?.message;

  const readAgain = () => client.invalidateQueries({ queryKey: [securityApi.read.path] });

  async function add() {
    const { ticket, options } = await call(securityApi.newPasskeyOptions, {});
    const passkey = await makePasskey(options);
    const { recoveryCodes } = await call(securityApi.addPasskey, { ticket, name, passkey });
    await readAgain();
    onDone(recoveryCodes);
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // It may have been added all the same: by a call whose answer was lost.
    if (name.trim() !== "" && !(await run(add))) await readAgain();
  };
  const found = failure && passkeys.find(({ id }) => !known.some((each) => each.id === id));
  if (found)
    return (
      <>
        <FoundFactor isLast={isLast}>The passkey “{found.name}” is added</FoundFactor>
        <Button tone="secondary" onClick={onCancel}>
          Close
        </Button>
      </>
    );
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex w-full flex-col gap-4">
      {failure !== null && issue === undefined && (
        <Banner kind="failure" detail={failure.message}>
          The passkey was not added
        </Banner>
      )}
      <TextField
        label="Name of the passkey"
        hint="So that you recognize it: “Phone”, “Work laptop”."
        value={name}
        maxLength={60}
        autoComplete="off"
        autoFocus
        error={issue}
        onChange={(event) => setName(event.target.value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" disabled={isBusy || name.trim() === ""}>
          {isBusy ? "Adding..." : "Add passkey"}
        </Button>
        <Button tone="secondary" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
