import type { Metadata } from "next";
import type { ReactNode } from "react";
import { PlainButtonLink } from "../../_ui/button.tsx";
import { RiskWarning } from "../../_ui/risk-warning.tsx";
import { Comparison } from "./comparison.tsx";

export const metadata: Metadata = {
  title: "About",
  alternates: { canonical: "/learn-more" },
  description:
    "How Tradewind trades autonomously, how it keeps brokerage keys safe, how it compares with traditional platforms, and what its AI does and does not do.",
};

const CYCLE = [
  ["Screen", "The stocks of the market are filtered, scored and ranked. The best fifty hold a seat."],
  ["Decide", "Your strategy looks for a signal in each seat. Momentum, mean reversion or breakout: you choose."],
  ["Check", "Every order passes one list of checks: your limits, the day's loss, earnings dates, the price itself."],
  ["Protect", "A stop and a target go to the broker together with the entry, and stay there if we do not."],
] as const;

const REASONS = [
  ["It shows its work", "Each trade opens the decision behind it, and each trade that was not made says why."],
  ["Stopping is easier than starting", "Pausing is one click. Trading with real money asks for a typed confirmation."],
  ["Figures stay apart", "Practice, paper and live results are labelled everywhere and never mixed in one curve."],
  ["You can begin without a broker", "No brokerage API keys or credentials are needed for the practice market."],
  ["You can leave", "Export your records, remove your keys, and go on at your broker as before."],
] as const;

export default function LearnMorePage() {
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
          During the trading day Tradewind goes through the same cycle every few minutes. You need not be at the screen.
        </p>
        <CycleSteps />
        <p>
          No brokerage API keys or credentials are needed to start: the practice market is built in. To trade through
          your own brokerage account you add its keys, and you can take them away again at any time.
        </p>
      </Section>
      <Section title="Security">
        <p>
          Brokerage keys are sealed with AES-256-GCM before they are stored, and are never shown again, not even to you.
          Passwords are kept only as Argon2id hashes. Your money stays at your broker.
        </p>
        <p>
          Changing your password ends every sign-in at once. Every action that changes something is written to an audit
          trail that shows when it has been tampered with, and each user sees their own data only.
        </p>
      </Section>
      <Section title="Comparison with Traditional Platforms">
        <p>A traditional platform is a better tool for trading by hand. Tradewind is for trading by rule.</p>
        <Comparison />
      </Section>
      <Section title="AI Technology">
        <p>
          The decisions come from stated rules over prices, liquidity, earnings dates and the tone of the news. The same
          facts give the same decision: every one is recorded with what it was made from, and can be made again.
        </p>
        <p>
          AI-powered insights then put the recorded facts into plain words: why a trade was made, why another was not,
          what a day was like. They name the record they come from. They never decide, and they never place an order.
        </p>
        <p>
          Where the operator has connected a language model, it may choose the words, checked against the record before
          they are shown. Elsewhere Tradewind&apos;s own writer does, and each text says which of the two wrote it.
        </p>
      </Section>
      <Section title="Reasons to Choose Tradewind">
        <ReasonList />
      </Section>
      <RiskWarning />
      <div className="flex flex-wrap gap-3">
        <PlainButtonLink href="/auth?view=register">Get started</PlainButtonLink>
        <PlainButtonLink href="/auth" tone="secondary">
          Sign in
        </PlainButtonLink>
        <PlainButtonLink href="/" tone="secondary">
          Back to home
        </PlainButtonLink>
      </div>
    </div>
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
