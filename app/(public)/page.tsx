import { ChartNoAxesCombined, Lightbulb, ShieldCheck, TriangleAlert } from "lucide-react";
import { redirectIfSignedIn } from "@/lib/server/http/guard.ts";
import { ButtonLink } from "../_ui/button.tsx";
import { PublicFrame } from "../_ui/public-frame.tsx";
import { ProductPicture } from "./product-picture.tsx";
import { SignedInRedirect } from "./signed-in-redirect.tsx";
import { VerifiedBanner } from "./verified-banner.tsx";

const FEATURES = [
  {
    Icon: ChartNoAxesCombined,
    title: "Real-time Analytics",
    text: "Portfolio value, profit and loss by period, win rate and every open position, read again every few seconds and dated to the second.",
  },
  {
    Icon: Lightbulb,
    title: "AI-Powered Insights",
    text: "Why a trade was made and why another was not, told in plain words from the recorded facts, with the figures behind each sentence.",
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
  const { verified } = await searchParams;
  return (
    <PublicFrame
      action={
        <ButtonLink tone="secondary" href="/auth">
          Sign in
        </ButtonLink>
      }
    >
      <SignedInRedirect />
      <div className="mx-auto flex w-full max-w-6xl flex-col gap-16 px-4 pt-4 sm:gap-20 sm:px-6 sm:pt-8">
        {verified === "true" && <VerifiedBanner />}
        <section className="grid items-center gap-10 lg:grid-cols-[5fr_6fr] lg:gap-14">
          <div>
            <h1 className="text-4xl font-semibold tracking-tight sm:text-5xl">
              Trading that runs itself, and tells you why.
            </h1>
            <p className="mt-5 max-w-prose text-lg text-muted">
              Tradewind is an algorithmic trading platform. It screens the market, decides, trades and protects every
              position on its own, within the limits you set.
            </p>
            <div className="mt-8 flex flex-wrap gap-3">
              <ButtonLink href="/auth" className="px-6 sm:min-h-11">
                Get started
              </ButtonLink>
              <ButtonLink href="/learn-more" tone="secondary" className="px-6 sm:min-h-11">
                Learn more
              </ButtonLink>
            </div>
            <p className="mt-4 text-sm text-muted">
              No brokerage keys needed to start: begin on the built-in practice market.
            </p>
          </div>
          <ProductPicture />
        </section>
        <section aria-label="Features" className="grid gap-4 md:grid-cols-3">
          {FEATURES.map(({ Icon, title, text }) => (
            <div key={title} className="rounded-xl border border-line bg-surface p-6">
              <Icon aria-hidden className="size-6 text-accent" strokeWidth={1.75} />
              <h2 className="mt-4 text-lg font-semibold tracking-tight">{title}</h2>
              <p className="mt-2 text-muted">{text}</p>
            </div>
          ))}
        </section>
        <section aria-labelledby="risk" className="rounded-xl border border-warn/40 bg-warn-soft p-6">
          <h2 id="risk" className="flex items-center gap-2 text-base font-semibold text-warn">
            <TriangleAlert aria-hidden className="size-5" />
            Risk Warning
          </h2>
          <p className="mt-2 max-w-prose">
            Trading carries substantial risk of loss and is not suitable for everyone. You can lose some or all of the
            money you invest. Past performance does not guarantee future results. Automated trading does not remove
            these risks.
          </p>
        </section>
      </div>
    </PublicFrame>
  );
}
