import { AmountsText } from "../../_ui/money.tsx";
import { Card } from "../../_ui/card.tsx";
import type { PositionAnswer } from "./position-screen.tsx";

/** What sells it, each way in a sentence. */
export function EndsCard({ data: { ends } }: { data: PositionAnswer }) {
  const ways = ends.filter(({ kind }) => kind !== "NOTE");
  return (
    <Card title="What ends it">
      {ways.length > 0 && (
        <ul className="flex list-disc flex-col gap-2 pl-5 leading-relaxed wrap-anywhere">
          {ways.map(({ text }) => (
            <li key={text}>
              <AmountsText text={text} />
            </li>
          ))}
        </ul>
      )}
      {ends
        .filter(({ kind }) => kind === "NOTE")
        .map(({ text }) => (
          <p key={text} className="mt-3 text-sm text-muted first:mt-0">
            {text}
          </p>
        ))}
    </Card>
  );
}
