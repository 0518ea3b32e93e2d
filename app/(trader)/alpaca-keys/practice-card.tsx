"use client";
import { usePracticeAccount } from "../../_hooks/use-practice-account.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";

export function PracticeCard({ onAdded }: { onAdded: () => void }) {
  const practice = usePracticeAccount();
  return (
    <Card title="Practice market">
      <p className="mb-4 text-muted">
        No keys needed: an account on the built-in practice market, with simulated money.
      </p>
      <Button
        tone="secondary"
        className="w-full"
        disabled={practice.isBusy}
        onClick={() => practice.run({}, { onSuccess: onAdded })}
      >
        {practice.isBusy ? "Opening the account..." : "Start on the practice market"}
      </Button>
      {practice.failure !== null && (
        <div className="mt-3">
          <Banner kind="failure" detail={practice.failure.message}>
            Failed to add account
          </Banner>
        </div>
      )}
    </Card>
  );
}
