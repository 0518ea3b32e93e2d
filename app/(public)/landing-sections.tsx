import type { ReactNode } from "react";
import { PlainButtonLink } from "../_ui/button.tsx";
import { ChevronDown, ShieldCheck } from "../_ui/icons.tsx";
import { AccountsPicture, PositionPicture, SettingsPicture } from "./step-pictures.tsx";

const STEPS = [
  {
    title: "Connect an account, or start without one",
    Picture: AccountsPicture,
    text: "Start on the built-in practice market, which has its own clock and puts no money at stake. Or connect your Alpaca account, paper or live, and disconnect it whenever you like.",
  },
  {
    title: "Choose a strategy and limits",
    Picture: SettingsPicture,
    text: "Momentum, mean reversion or breakout. How much per trade, how many positions, at what gain or loss a position is sold: the limits are yours. Buying also stops for the day after too large a loss.",
  },
  {
    title: "Watch when you want to",
    Picture: PositionPicture,
    text: "Every few minutes of the trading day Tradewind looks at the market, decides, places orders and protects your positions. You can read why, pause with one press, or come back in the evening.",
  },
] as const;

const SAFETY = [
  ["Your money stays at your broker", "Tradewind never holds it and cannot withdraw it."],
  [
    "Stops rest at the broker",
    "They are sent together with each purchase and stay in force even while Tradewind is down.",
  ],
  ["Keys are sealed", "Encrypted with AES-256-GCM before they are stored; the secret is never shown again."],
  ["Pause with one press", "Buying stops at once; what you hold keeps its stops."],
  ["Every action is on record", "The audit trail shows whether it has been tampered with."],
] as const;

const QUESTIONS = [
  [
    "Do I need a brokerage account to start?",
    "No. The practice market is built in: the same decisions and the same order handling, with simulated money. When you want to go further, connect an Alpaca paper or live account.",
  ],
  ["What does it trade?", "US stocks. It does not sell short and does not trade options."],
  [
    "Does an AI decide what is bought?",
    "No. Decisions come from stated rules over prices, volume, earnings dates and the tone of the news. The same facts always give the same decision, and every decision is recorded so that it can be repeated and compared. The AI-powered insights only put these records into words.",
  ],
  [
    "Can I lose money?",
    "Yes, some or all of what you invest. Limits and stops are there to keep a loss small, and neither is a guarantee: a price can open far below a stop. Start on the practice market, where it costs nothing.",
  ],
  [
    "What happens when something breaks?",
    "Stops rest at your broker, so they work even while Tradewind is down. A second program watches the one that trades: if it stops answering, open purchase orders are cancelled, shares without a stop get one, and you are notified.",
  ],
  [
    "How do I leave?",
    "Export your records, disconnect your broker and delete your account. Your positions stay at your broker, and they remain yours.",
  ],
] as const;

function Heading({ id, children }: { id: string; children: ReactNode }) {
  return (
    <h2 id={id} className="text-2xl font-semibold tracking-tight sm:text-3xl">
      {children}
    </h2>
  );
}

/** How it works, in three steps. */
export function Steps() {
  return (
    <section aria-labelledby="how">
      <Heading id="how">How it works</Heading>
      <ol className="mt-6 grid gap-8 md:grid-cols-3">
        {STEPS.map(({ title, text, Picture }, index) => (
          <li key={title} className="flex flex-col border-t-2 border-accent pt-4">
            <p className="text-sm font-medium text-accent tabular-nums">Step {index + 1}</p>
            <h3 className="mt-1 text-lg font-semibold tracking-tight">{title}</h3>
            <p className="mt-2 mb-5 text-muted">{text}</p>
            <div className="mt-auto">
              <Picture />
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What keeps money and keys safe, each in a line. */
export function Safety() {
  return (
    <section aria-labelledby="safety" className="rounded-2xl border border-line bg-surface p-6 sm:p-8">
      <Heading id="safety">Built to be trusted with money</Heading>
      <ul className="mt-6 grid gap-x-8 gap-y-5 sm:grid-cols-2 lg:grid-cols-3">
        {SAFETY.map(([title, text]) => (
          <li key={title} className="flex gap-3">
            <ShieldCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
            <div>
              <p className="font-semibold">{title}</p>
              <p className="text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Questions that people have before they sign up; each opens without any code. */
export function Questions() {
  return (
    <section aria-labelledby="questions" className="mx-auto w-full max-w-3xl">
      <Heading id="questions">Questions</Heading>
      <div className="mt-4 divide-y divide-line border-y border-line">
        {QUESTIONS.map(([question, answer]) => (
          <details key={question} className="group">
            <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-4 py-3 font-medium [&::-webkit-details-marker]:hidden">
              {question}
              <ChevronDown aria-hidden className="size-5 shrink-0 text-muted group-open:rotate-180" />
            </summary>
            <p className="max-w-prose pb-4 text-muted">{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
}

export function ClosingCall() {
  return (
    <section aria-labelledby="begin" className="flex flex-col items-center gap-4 text-center">
      <Heading id="begin">See it decide before it costs anything</Heading>
      <p className="max-w-prose text-muted">
        Creating an account takes a minute, and you can start on the practice market right away.
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <PlainButtonLink href="/auth?view=register" className="px-6 sm:min-h-11">
          Create your account
        </PlainButtonLink>
        <PlainButtonLink href="/auth" tone="secondary" className="px-6 sm:min-h-11">
          Sign in
        </PlainButtonLink>
      </div>
    </section>
  );
}
