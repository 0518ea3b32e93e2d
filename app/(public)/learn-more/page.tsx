import type { Metadata } from "next";
import type { ReactNode } from "react";
import { ButtonLink } from "../../_ui/button.tsx";
import { PublicFrame } from "../../_ui/public-frame.tsx";

export const metadata: Metadata = { title: "Learn more" };

const COMPARISON = [
  {
    what: "Who watches the market",
    traditional: "You do",
    tradewind: "The platform does, in every cycle of the trading day",
  },
  { what: "Who decides", traditional: "You do, order by order", tradewind: "The strategy and limits you chose" },
  { what: "Stops", traditional: "Placed when you remember", tradewind: "Placed with every position, at the broker" },
  { what: "Why a trade was made", traditional: "Your notes", tradewind: "A record with each decision" },
  {
    what: "Practice",
    traditional: "Often a separate program",
    tradewind: "Built in: the same decisions on a practice market",
  },
] as const;

const REASONS = [
  "It says what it did, and what it did not do and why.",
  "Stopping is easier than starting.",
  "Practice, paper and live figures are labelled and never mixed.",
  "No brokerage keys are needed to begin.",
] as const;

export default function LearnMorePage() {
  return (
    <PublicFrame
      action={
        <ButtonLink tone="secondary" href="/auth">
          Sign in
        </ButtonLink>
      }
    >
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-12 px-4 pt-6 sm:px-6 sm:pt-10">
        <div>
          <h1 className="text-3xl font-semibold tracking-tight sm:text-4xl">About Tradewind</h1>
          <p className="mt-4 text-lg text-muted">
            An algorithmic trading platform for retail traders that works on its own and shows its work.
          </p>
        </div>
        <Section title="Autonomous Trading">
          <p>
            During the trading day Tradewind looks at the market in regular cycles: it screens stocks, ranks them, and
            lets your strategy decide. Orders go out only within your limits, and every position gets its stop. You need
            not be at the screen.
          </p>
          <p>
            On the practice market no brokerage keys or credentials are needed. To trade through your own brokerage
            account you add its keys, and you can take them away again at any time.
          </p>
        </Section>
        <Section title="Security">
          <p>
            Brokerage keys are sealed before they are stored and are never shown again, not even to you. Passwords are
            kept only as slow hashes. Every action that changes something leaves a trace, and each user sees their own
            data only.
          </p>
        </Section>
        <Section title="Compared with Traditional Platforms">
          <div
            className="overflow-x-auto rounded-xl border border-line bg-surface"
            tabIndex={0}
            role="region"
            aria-label="Comparison"
          >
            <table className="w-full min-w-[34rem] text-left text-sm">
              <thead>
                <tr className="border-b border-line text-muted">
                  <th scope="col" className="px-4 py-3 font-medium">
                    <span className="sr-only">Subject</span>
                  </th>
                  <th scope="col" className="px-4 py-3 font-medium">
                    Traditional platform
                  </th>
                  <th scope="col" className="px-4 py-3 font-medium">
                    Tradewind
                  </th>
                </tr>
              </thead>
              <tbody>
                {COMPARISON.map((row) => (
                  <tr key={row.what} className="border-b border-line align-top last:border-0">
                    <th scope="row" className="px-4 py-3 font-medium">
                      {row.what}
                    </th>
                    <td className="px-4 py-3 text-muted">{row.traditional}</td>
                    <td className="px-4 py-3">{row.tradewind}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Section>
        <Section title="AI Technology">
          <p>
            The decisions come from stated rules over prices, liquidity and news, the same on every day and in every
            test. AI-assisted insight narrates the recorded facts in plain words. It never places an order.
          </p>
        </Section>
        <Section title="Reasons to Choose Tradewind">
          <ul className="list-disc space-y-2 pl-5 marker:text-accent">
            {REASONS.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </Section>
        <p className="rounded-xl border border-warn/40 bg-warn-soft p-5 text-sm">
          Trading carries substantial risk of loss. Past performance does not guarantee future results.
        </p>
        <div className="flex flex-wrap gap-3">
          <ButtonLink href="/auth">Get started</ButtonLink>
          <ButtonLink href="/" tone="secondary">
            Back to home
          </ButtonLink>
        </div>
      </div>
    </PublicFrame>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-xl font-semibold tracking-tight">{title}</h2>
      {children}
    </section>
  );
}
