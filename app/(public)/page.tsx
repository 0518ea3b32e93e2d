import type { Metadata } from "next";
import { hasDemo, redirectIfSignedIn } from "@/lib/server/http/guard.ts";
import { Banner } from "../_ui/banner.tsx";
import { PlainButtonLink } from "../_ui/button.tsx";
import { ChartNoAxesCombined, Lightbulb, ShieldCheck } from "../_ui/icons.tsx";
import { RiskWarning } from "../_ui/risk-warning.tsx";
import { ClosingCall, Questions, Safety, Steps } from "./landing-sections.tsx";
import { ProductPicture } from "./product-picture.tsx";
import { SignedInRedirect } from "./signed-in-redirect.tsx";
import { VerifiedBanner } from "./verified-banner.tsx";

export const metadata: Metadata = {
  title: { absolute: "Tradewind: trading that runs itself, and tells you why" },
  alternates: { canonical: "/" },
};

const FEATURES = [
  {
    Icon: ChartNoAxesCombined,
    title: "Real-time Analytics",
    text: "Portfolio value, profit and loss by period, win rate and every open position, refreshed every few seconds, with the time they were read.",
  },
  {
    Icon: Lightbulb,
    title: "AI-Powered Insights",
    text: "Why a trade was made and why another was not, explained in plain English from the recorded facts, with the figures behind each sentence.",
  },
  {
    Icon: ShieldCheck,
    title: "Risk Management",
    text: "Position limits, stops that stay at the broker, loss and drawdown limits, and a pause that is always one click away.",
  },
] as const;

export default async function LandingPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  await redirectIfSignedIn();
  const { verified, erased } = await searchParams;
  const hasLiveDemo = await hasDemo();
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-14 px-4 pt-4 sm:gap-20 sm:px-6 sm:pt-8">
      <SignedInRedirect />
      {verified === "true" && (
        // Keeps its room when the banner goes: nothing that is being read moves.
        <div className="-mb-8 min-h-16 sm:-mb-14 sm:min-h-12">
          <VerifiedBanner />
        </div>
      )}
      {erased === "true" && (
        <Banner kind="success" detail="Your personal data has been erased. Your trades are kept without your name.">
          Your account has been deleted.
        </Banner>
      )}
      {/* Not centred on the picture: a browser that paints while the picture still comes in would move the words. */}
      <section className="grid items-start gap-10 lg:grid-cols-[5fr_6fr] lg:gap-14">
        <div className="lg:pt-28">
          <h1 className="text-4xl font-semibold tracking-tight sm:text-5xl">
            Trading that runs itself, and tells you why.
          </h1>
          <p className="mt-5 max-w-prose text-lg text-muted">
            Tradewind is an algorithmic trading platform that trades autonomously. It screens the market, decides,
            trades and protects every position within the limits you set.
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <PlainButtonLink href="/auth?view=register" className="px-6 sm:min-h-11">
              Get started
            </PlainButtonLink>
            <PlainButtonLink href="/learn-more" tone="secondary" className="px-6 sm:min-h-11">
              Learn more about Tradewind
            </PlainButtonLink>
          </div>
          {hasLiveDemo && (
            <p className="mt-5">
              {/* oxlint-disable-next-line nextjs/no-html-link-for-pages -- a whole page, as all links of the public pages */}
              <a href="/demo" className="rounded-sm font-medium text-accent underline underline-offset-4">
                Open the live demo
              </a>{" "}
              <span className="text-muted">– no account needed.</span>
            </p>
          )}
          <p className="mt-4 text-sm text-muted">
            No brokerage API keys or credentials are needed to start: begin on the built-in practice market.
          </p>
        </div>
        <ProductPicture />
      </section>
      <Features />
      <Steps />
      <Safety />
      <Questions />
      <RiskWarning />
      <ClosingCall />
    </div>
  );
}

function Features() {
  return (
    <section aria-label="Features" className="grid gap-4 md:grid-cols-3">
      {FEATURES.map(({ Icon, title, text }) => (
        <div key={title} className="rounded-xl border border-line bg-surface p-6">
          <Icon aria-hidden className="size-6 text-accent" strokeWidth={1.75} />
          <h2 className="mt-4 text-lg font-semibold tracking-tight">{title}</h2>
          <p className="mt-2 text-muted">{text}</p>
        </div>
      ))}
    </section>
  );
}
