"use client";
import type { Answer, Call, Sent } from "@/lib/contracts/endpoint.ts";
import type { insightApi } from "@/lib/contracts/insight.ts";
import { useEndpoint } from "../_hooks/use-endpoint.ts";
import { Card } from "./card.tsx";
import { FailureNote } from "./failure-note.tsx";
import { Skeleton } from "./skeleton.tsx";
import { ToldSentence } from "./told-text.tsx";

type Teller = (typeof insightApi)["trade" | "decision" | "rotation"];
type Told = NonNullable<Answer<Teller>["told"]>;

interface InWordsProps<E extends Teller> {
  endpoint: E;
  input: Sent<E>;
  /** The address of the page that this stands on: its records need no link. */
  here: string;
}

/** What the records of the page say, in sentences. Nothing is shown where the feature is off. */
export function InWords<E extends Teller>({ endpoint, input, here }: InWordsProps<E>) {
  const { data, failure, isLoading, retry } = useEndpoint(endpoint as Teller & Call<E>, input as never);
  if (data?.isOn === false) return null;
  return (
    <Card title="In words">
      {failure !== null && <FailureNote text="Failed to load the words" detail={failure.message} onRetry={retry} />}
      {isLoading && <Skeleton className="h-24 w-full" />}
      {data?.told != null && (
        <div className="flex flex-col gap-3">
          <ul className="flex max-w-prose flex-col gap-1 leading-relaxed wrap-anywhere">
            {data.told.sentences.map((sentence, index) => (
              <li key={index}>
                <ToldSentence sentence={sentence} here={here} />
              </li>
            ))}
          </ul>
          <WrittenBy told={data.told} />
        </div>
      )}
    </Card>
  );
}

/** Who wrote it: a language model is named only where one did. */
export function WrittenBy({ told: { writer, model } }: { told: Pick<Told, "writer" | "model"> }) {
  return (
    <p className="border-t border-line pt-3 text-xs text-muted">
      {writer === "MODEL" && model !== null
        ? `Written by ${model} from your records, checked.`
        : "Written by Tradewind from your records; no language model was used."}
    </p>
  );
}
