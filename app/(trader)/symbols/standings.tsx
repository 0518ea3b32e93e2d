import { sharesText } from "@/lib/domain/format.ts";
import { Percent } from "../../_ui/percent.tsx";
import { SentenceText } from "../../_ui/sentence-text.tsx";
import type { SymbolAnswer } from "./symbol-screen.tsx";

/** Whether it is the reader's, in a few words, and why, in a sentence for each account. */
export function Standings({ data: { standings, positions } }: { data: SymbolAnswer }) {
  return (
    <div className="flex min-w-0 basis-80 grow flex-col gap-1">
      {positions.length === 1 && positions[0] ? (
        <p className="font-medium">
          yours: <span className="amount tabular-nums">{sharesText(positions[0].quantity)}</span>,{" "}
          <Percent value={positions[0].unrealizedPnLPercent} />
        </p>
      ) : (
        <p className="font-medium">
          {positions.length > 1 ? `yours in ${positions.length} accounts` : notHeld(standings)}
        </p>
      )}
      <ul className="flex max-w-prose flex-col gap-1 text-sm leading-relaxed wrap-anywhere">
        {standings.map(({ account, sentence }) => (
          <li key={account?.id ?? ""}>
            <SentenceText sentence={sentence} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function notHeld(standings: SymbolAnswer["standings"]): string {
  const score = standings.find((each) => each.score !== null)?.score ?? null;
  // The place in the Top-50 has a score of its own. One that is enough is no reason: the sentence names that.
  return score === null || score.value >= score.needed
    ? "not held"
    : `not held: buying score ${score.value}, ${score.needed} needed`;
}
