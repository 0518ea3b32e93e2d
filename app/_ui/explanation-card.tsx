"use client";
import type { Answer, Call, Sent } from "@/lib/contracts/endpoint.ts";
import type { insightApi } from "@/lib/contracts/insight.ts";
import { useEndpoint } from "../_hooks/use-endpoint.ts";
import { Card } from "./card.tsx";
import { FailureNote } from "./failure-note.tsx";
import { Skeleton } from "./skeleton.tsx";
import { SentenceText } from "./sentence-text.tsx";

type Explained = (typeof insightApi)["trade" | "decision" | "rotation"];
type Words = NonNullable<Answer<Explained>["explanation"]>;

interface ExplanationCardProps<E extends Explained> {
  endpoint: E;
  input: Sent<E>;
  /** The address of the page that this stands on: its records need no link. */
  here: string;
  /** What the page shows of the records now: they are explained anew when it changes. */
  of: string;
}

/** What the records of the page say, in sentences. Nothing is shown where the feature is off. */
export function ExplanationCard<E extends Explained>({ of, ...explained }: ExplanationCardProps<E>) {
  return <Explanation key={of} {...explained} />;
}

function Explanation<E extends Explained>({ endpoint, input, here }: Omit<ExplanationCardProps<E>, "of">) {
  const { data, failure, isLoading, retry } = useEndpoint(endpoint as Explained & Call<E>, input as never);
  if (data?.isOn === false) return null;
  return (
    <Card title="In words">
      {failure !== null && <FailureNote text="Failed to load the words" detail={failure.message} onRetry={retry} />}
      {isLoading && <Skeleton className="h-24 w-full" />}
      {data?.explanation != null && (
        <div className="flex flex-col gap-3">
          <ul className="flex max-w-prose flex-col gap-1 leading-relaxed wrap-anywhere">
            {data.explanation.sentences.map((sentence, index) => (
              <li key={index}>
                <SentenceText sentence={sentence} here={here} />
              </li>
            ))}
          </ul>
          <WrittenBy explanation={data.explanation} />
        </div>
      )}
    </Card>
  );
}

/** Who wrote it: a language model is named only where one did. */
export function WrittenBy({ explanation: { writer, model } }: { explanation: Pick<Words, "writer" | "model"> }) {
  return (
    <p className="border-t border-line pt-3 text-xs text-muted">
      {writer === "MODEL" && model !== null
        ? `Written by ${model} from your records, checked.`
        : "Written by Tradewind from your records; no language model was used."}
    </p>
  );
}
