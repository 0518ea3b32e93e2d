"use client";
import { useState } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { securityApi } from "@/lib/contracts/security.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Banner } from "../../_ui/banner.tsx";
import { ButtonLink } from "../../_ui/button-link.tsx";
import { Card } from "../../_ui/card.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { PageHead } from "../../_ui/page-head.tsx";
import { SkeletonCard } from "../../_ui/skeleton.tsx";
import { AccessTokensCard } from "./access-tokens-card.tsx";
import { PasskeysCard } from "./passkeys-card.tsx";
import { RecoveryCodesCard } from "./recovery-codes-card.tsx";
import { RecoveryCodesDialog } from "./recovery-codes-dialog.tsx";
import { SignInsCard } from "./sign-ins-card.tsx";
import { TotpCard } from "./totp-card.tsx";

export function SecurityScreen() {
  const security = useEndpoint(securityApi.read, {});
  return (
    <div className="flex flex-col gap-4">
      <PageHead title="Sign-in and security" />
      {security.failure !== null && (
        <FailureNote
          text="Failed to load your sign-in settings"
          detail={security.failure.message}
          onRetry={security.retry}
        />
      )}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          {security.isLoading && <LoadingFactors />}
          {security.data !== undefined && <Factors security={security.data} />}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <SignInsCard />
          <AccessTokensCard />
          <Card title="Password">
            <div className="flex flex-col items-start gap-3">
              <p>Changing your password ends all your other sign-ins and revokes all your access tokens.</p>
              <ButtonLink href="/settings?tab=security" tone="secondary">
                Change password
              </ButtonLink>
            </div>
          </Card>
        </div>
      </div>
    </div>
  );
}

function LoadingFactors() {
  return (
    <>
      <SkeletonCard className="h-44" />
      <SkeletonCard className="h-44" />
    </>
  );
}

function Factors({ security }: { security: Answer<typeof securityApi.read> }) {
  const { totp, passkeys, recoveryCodesLeft, isRequired, arePasskeysPossible } = security;
  const [newCodes, setNewCodes] = useState<string[] | null>(null);
  const count = passkeys.length + (totp === null ? 0 : 1);
  const shared = { isLast: count === 1, isRequired };
  return (
    <>
      {count === 0 && isRequired && (
        <Banner kind="warning" detail="The console opens as soon as an authenticator app or a passkey is set up here.">
          Administrators must have a second factor
        </Banner>
      )}
      {count === 0 && !isRequired && (
        <p className="text-muted">
          A password can become known to another person. With a second factor, signing in also needs your phone, your
          computer or a security key.
        </p>
      )}
      <TotpCard totp={totp} onNewCodes={setNewCodes} {...shared} />
      <PasskeysCard passkeys={passkeys} arePossible={arePasskeysPossible} onNewCodes={setNewCodes} {...shared} />
      {count > 0 && <RecoveryCodesCard left={recoveryCodesLeft} onNewCodes={setNewCodes} />}
      {newCodes !== null && <RecoveryCodesDialog codes={newCodes} onSaved={() => setNewCodes(null)} />}
    </>
  );
}
