import type { ReactNode } from "react";
import { PlainButtonLink } from "../../_ui/button.tsx";
import { RiskWarning } from "../../_ui/risk-warning.tsx";
import { Comparison } from "./comparison.tsx";

const CYCLE = [
  ["Screen", "Once a trading day stocks are filtered, scored and ranked. The best fifty make up the Top-50."],
  [
    "Decide",
    "Your strategy looks for a reason to buy in each of them. You choose it: momentum, mean reversion or breakout.",
  ],
  ["Check", "Every order has to pass a list of checks: your limits, the day's loss, earnings dates, the price itself."],
  [
    "Protect",
    "A stop and a target go to the broker together with each purchase, and stay in force even while Tradewind is down.",
  ],
] as const;

const REASONS = [
  [
    "It shows its work",
    "Every trade links to the decision behind it, and for every stock that was not bought you can read why.",
  ],
  ["Stopping is easier than starting", "Pausing is one click. Trading with real money asks for a typed confirmation."],
  ["Figures stay apart", "Practice, paper and live results are labelled everywhere and never mixed in one curve."],
  ["You can begin without a broker", "No brokerage API keys or credentials are needed for the practice market."],
  ["You can leave", "Export your records, remove your keys, and carry on at your broker as before."],
] as const;

/** The about page. Who is signed in is offered their dashboard in place of the ways to sign in. */
export function About({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-14 px-4 pt-6 sm:px-6 sm:pt-10">
      <div>
        <h1 className="text-3xl font-semibold tracking-tight sm:text-4xl">About Tradewind</h1>
        <p className="mt-4 text-lg text-muted">
          An algorithmic trading platform for retail traders, with AI-powered insights, real-time analytics and risk
          management. It works on its own, and shows its work.
        </p>
      </div>
      <Section title="Autonomous Trading">
        <p>
          Once a trading day Tradewind chooses the stocks to look at. It then goes through the other three steps every
          few minutes. You do not need to be at the screen.
        </p>
        <CycleSteps />
        <p>
          No brokerage API keys or credentials are needed to start: the practice market is built in. To trade through
          your own brokerage account you add its API keys, and you can remove them at any time.
        </p>
      </Section>
      <Section title="Security">
        <p>
          Brokerage keys are sealed with AES-256-GCM before they are stored. The secret is never shown again, not even
          to you; the list of your accounts shows the first 8 characters of the key. Passwords are kept only as Argon2id
          hashes. Your money stays at your broker.
        </p>
        <p>
          Changing your password ends every other sign-in at once. Every action that changes something is written to an
          audit trail that shows whether it has been tampered with, and each user sees only their own data.
        </p>
      </Section>
      <Section title="Comparison with Traditional Platforms">
        <p>A traditional platform is a better tool for trading by hand. Tradewind is for trading by rule.</p>
        <Comparison />
      </Section>
      <Section title="AI Technology">
        <p>
          The decisions come from stated rules over prices, liquidity, earnings dates and the tone of the news. The same
          facts always give the same decision: each one is recorded together with its inputs, and can be repeated.
        </p>
        <p>
          AI-powered insights then put the recorded facts into plain words: why a trade was made, why another was not,
          what a day was like. They name the record they come from. They never decide, and they never place an order.
        </p>
        <p>
          Where the operator has connected a language model, it may word these texts; they are checked against the
          record before they are shown. Otherwise Tradewind&apos;s built-in writer words them. Each text says which of
          the two wrote it.
        </p>
      </Section>
      <Section title="Reasons to Choose Tradewind">
        <ReasonList />
      </Section>
      <RiskWarning />
      <div className="flex flex-wrap gap-3">
        <WaysIn isSignedIn={isSignedIn} />
        <PlainButtonLink href="/" tone="secondary">
          Back to home
        </PlainButtonLink>
      </div>
    </div>
  );
}

/** The ways into the product, or back to it. */
function WaysIn({ isSignedIn }: { isSignedIn: boolean }) {
  if (isSignedIn) return <PlainButtonLink href="/dashboard">Open your dashboard</PlainButtonLink>;
  return (
    <>
      <PlainButtonLink href="/auth?view=register">Get started</PlainButtonLink>
      <PlainButtonLink href="/auth" tone="secondary">
        Sign in
      </PlainButtonLink>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-2xl font-semibold tracking-tight">{title}</h2>
      {children}
    </section>
  );
}

function CycleSteps() {
  return (
    <ol className="mt-2 grid gap-4 sm:grid-cols-2">
      {CYCLE.map(([name, text], index) => (
        <li key={name} className="rounded-xl border border-line bg-surface p-5">
          <p className="flex items-baseline gap-2">
            <span className="text-accent tabular-nums">{index + 1}</span>
            <span className="font-semibold">{name}</span>
          </p>
          <p className="mt-1 text-muted">{text}</p>
        </li>
      ))}
    </ol>
  );
}

function ReasonList() {
  return (
    <ul className="grid gap-4">
      {REASONS.map(([reason, text]) => (
        <li key={reason} className="border-l-2 border-accent pl-4">
          <p className="font-semibold">{reason}</p>
          <p className="text-muted">{text}</p>
        </li>
      ))}
    </ul>
  );
}
