"use client";
import { flagsApi } from "@/lib/contracts/flags.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { usePracticeAccount } from "../../_hooks/use-practice-account.ts";
import { Button } from "../../_ui/button.tsx";
import { ButtonLink } from "../../_ui/button-link.tsx";

export function OnboardingBanner() {
  const practice = usePracticeAccount();
  const flags = useEndpoint(flagsApi.read, {});
  // Where the flag cannot be read the server decides.
  const hasPractice = flags.data?.practice_market !== false;
  return (
    <section aria-labelledby="onboarding" className="rounded-xl border border-accent/30 bg-accent-soft p-5 sm:p-6">
      <h2 id="onboarding" className="text-lg font-semibold tracking-tight">
        Ready to Start Trading?
      </h2>
      <p className="mt-1 max-w-prose">
        {hasPractice && "The practice market needs no brokerage account: it has its own clock and simulated money. "}
        To trade at Alpaca, add the keys of your own account.
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        {hasPractice && (
          <Button onClick={() => practice.run({})} disabled={practice.isBusy}>
            {practice.isBusy ? "Opening the account..." : "Start on the practice market"}
          </Button>
        )}
        <ButtonLink tone="secondary" href="/alpaca-keys">
          Add Alpaca keys
        </ButtonLink>
        <ButtonLink tone="quiet" href="https://app.alpaca.markets/signup" target="_blank" rel="noopener noreferrer">
          Sign up at Alpaca
          <span className="sr-only"> (opens in a new tab)</span>
        </ButtonLink>
      </div>
      {practice.failure !== null && (
        <p role="alert" className="mt-3 text-loss">
          {practice.failure.message}
        </p>
      )}
    </section>
  );
}
