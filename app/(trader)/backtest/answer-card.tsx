import { countText, dateText, ratioText, shareText, signedPercentText } from "@/lib/domain/format.ts";
import { EnvironmentBadge } from "../../_ui/badge.tsx";
import { Card } from "../../_ui/card.tsx";
import { Definition } from "../../_ui/definition.tsx";
import { AmountsText, Money } from "../../_ui/money.tsx";
import { Percent } from "../../_ui/percent.tsx";
import type { RunAnswer } from "./labels.ts";
import { LuckBand } from "./luck-band.tsx";
import { SmallTable } from "./small-table.tsx";

const percentOf = (fraction: number | null) => (fraction === null ? null : fraction * 100);

/** Whether the run beat the market, and whether luck alone could have made it: before any other figure. */
export function AnswerCard({ answer }: { answer: RunAnswer }) {
  const { verdict, luck, tries, capacity, missing } = answer;
  return (
    <Card
      title={
        <>
          The answer <Method {...answer.method} />
        </>
      }
      aside={<EnvironmentBadge environment="BACKTEST" />}
    >
      <div className="flex max-w-prose flex-col gap-2">
        <p className="text-base font-medium text-balance">{verdict}</p>
        <p>{luck}</p>
        {tries !== null && <p className="text-sm text-muted">{tries}</p>}
      </div>
      <div className="mt-5 grid grid-cols-1 gap-x-8 gap-y-6 lg:grid-cols-2">
        <Holdings answer={answer} />
        <div className="flex min-w-0 flex-col gap-4">
          <LuckBand band={answer.band} text={answer.bandText} />
          <Regression answer={answer} />
        </div>
        <Parts parts={answer.parts} />
        {answer.spreads !== null && <Spreads spreads={answer.spreads} />}
      </div>
      <div className="mt-5 flex max-w-prose flex-col gap-2 text-sm text-muted">
        {capacity !== null && (
          <p>
            <AmountsText text={capacity} />
          </p>
        )}
        {missing.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </Card>
  );
}

function Method({ blockSessions, resamples }: RunAnswer["method"]) {
  return (
    <Definition of="the answer">
      <p>
        SPY at the same exposure holds, in each session, as much of SPY as the strategy held of its stocks on the
        evening before. The rest is cash that earns nothing. It shows what the market alone would have given for the
        risk taken.
      </p>
      <p className="mt-2">
        A strategy without skill has the daily differences to it that this run had, moved so that they average zero and
        drawn anew {countText(resamples)} times in blocks of {blockSessions} sessions on average. The band shows how far
        the yearly difference moves by that chance alone. It knows nothing of what the past did not hold.
      </p>
      <p className="mt-2 text-xs text-muted">
        Stationary bootstrap: Politis &amp; Romano, 1994. 90% band by reflection; a year has 252 sessions.
      </p>
    </Definition>
  );
}

function Holdings({ answer: { holdings } }: { answer: RunAnswer }) {
  const isShort = holdings.every(({ annual }) => annual === null);
  return (
    <div className="min-w-0">
      <SmallTable
        label="Strategy and market"
        heads={["Held", "Total", "A year", "Max drawdown"]}
        rows={holdings.map(({ name, totalReturn, annual, maxDrawdown, reason }) => ({
          key: name,
          cells: [
            <span key="name">
              {name}
              {reason !== null && <span className="block text-xs text-muted">{reason}</span>}
            </span>,
            <Percent key="total" value={percentOf(totalReturn)} />,
            signedPercentText(percentOf(annual)),
            signedPercentText(percentOf(maxDrawdown)),
          ],
        }))}
      />
      <p className="mt-2 text-xs text-muted">
        Over the same sessions; SPY and the universe pay no costs.
        {isShort && " A yearly rate takes 252 sessions."}
      </p>
    </div>
  );
}

function Regression({ answer: { regression, exposure } }: { answer: RunAnswer }) {
  const facts: [string, string][] = [
    ["Mean exposure", exposure === null ? "—" : shareText(exposure)],
    ["Alpha a year", signedPercentText(percentOf(regression?.alpha ?? null))],
    [
      "t-value of alpha",
      regression === null || regression.alphaT === null
        ? "—"
        : `${ratioText(regression.alphaT, 2)} (${regression.sessions} sessions)`,
    ],
    ["Beta", regression === null ? "—" : ratioText(regression.beta, 2)],
  ];
  return (
    <div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4 lg:grid-cols-2 xl:grid-cols-4">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-xs text-muted">{name}</dt>
            <dd className="mt-0.5 text-sm font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-xs text-muted">
        {regression === null
          ? "Alpha and beta to SPY take 60 sessions and a market that moved."
          : "To SPY, by daily returns. A t-value within ±2 shows nothing."}
      </p>
    </div>
  );
}

/** What holds in one part of the sessions alone hangs on its dates. */
function Parts({ parts }: { parts: RunAnswer["parts"] }) {
  return (
    <div className="min-w-0">
      <SmallTable
        label="First two thirds and last third"
        heads={["Sessions", "Strategy", "SPY", "SPY, same exposure"]}
        rows={parts.map(({ from, to, strategy, index, matched }) => ({
          key: from,
          cells: [
            `${dateText(from)} – ${dateText(to)}`,
            <Percent key="own" value={percentOf(strategy)} />,
            signedPercentText(percentOf(index)),
            signedPercentText(percentOf(matched)),
          ],
        }))}
      />
      <ul className="mt-2 flex flex-col gap-1 text-xs text-muted">
        {parts.map(({ from, luck }, i) => (
          <li key={from}>
            {i === 0 ? "First two thirds" : "Last third"}: {luck}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Spreads({ spreads }: { spreads: NonNullable<RunAnswer["spreads"]> }) {
  return (
    <div className="min-w-0">
      <SmallTable
        label="At wider spreads"
        heads={["Spread", "Final equity", "Total", "Max drawdown", "Round trips"]}
        rows={spreads.map(({ multiple, spreadBps, finalEquity, totalReturn, maxDrawdown, trips }) => ({
          key: String(multiple),
          cells: [
            `×${multiple} (${spreadBps} bps)`,
            <Money key="equity" value={finalEquity} />,
            <Percent key="total" value={percentOf(totalReturn)} />,
            signedPercentText(percentOf(maxDrawdown)),
            trips,
          ],
        }))}
      />
      <p className="mt-2 text-xs text-muted">
        The run repeated with fills at a multiple of the spread. Decisions go by the usual one, and differ only through
        what the account has left.
      </p>
    </div>
  );
}
