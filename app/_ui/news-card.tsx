import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { selectorsApi } from "@/lib/contracts/selectors.ts";
import { ratioText } from "@/lib/domain/format.ts";
import { Card } from "./card.tsx";
import { Time } from "./time.tsx";

type SymbolAnswer = Answer<typeof selectorsApi.symbol>;

/** Headlines, each with the score that it was given and by whom. */
export function NewsCard({ news }: Pick<SymbolAnswer, "news">) {
  return (
    <Card title="News">
      {news.length === 0 ? (
        <p className="text-sm text-muted">There is no news about it.</p>
      ) : (
        <ul className="divide-y divide-line">
          {news.map((item) => (
            <li key={item.id} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-2">
              <span className="min-w-0 basis-96 grow wrap-anywhere">
                {item.headline}
                <span className="block text-xs text-muted">
                  {item.source}, <Time at={item.publishedAt} />
                </span>
              </span>
              <Sentiment score={item.score} source={item.scoreSource} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Sentiment({ score, source }: { score: number | null; source: string | null }) {
  if (score === null) return <span className="text-xs text-muted">not scored</span>;
  const text = ratioText(score, 2);
  const isZero = Number(text) === 0;
  const [tone, word] = isZero
    ? ["text-muted", "neutral"]
    : score > 0
      ? ["text-gain", "positive"]
      : ["text-loss", "negative"];
  return (
    <span className="text-right text-sm">
      <span className={`tabular-nums ${tone}`}>{`${score > 0 && !isZero ? "+" : ""}${text} ${word}`}</span>
      {source !== null && <span className="block text-xs text-muted">by {source}</span>}
    </span>
  );
}
