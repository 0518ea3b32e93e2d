"use client";
import { decisionsApi } from "@/lib/contracts/decisions.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { useState } from "react";
import { useAction } from "../_hooks/use-action.ts";
import { Banner } from "./banner.tsx";
import { Button } from "./button.tsx";

/** Makes a recorded decision again and says whether it comes out the same. */
export function Recompute({ decisionId }: { decisionId: string }) {
  const [result, setResult] = useState<Answer<typeof decisionsApi.recompute> | null>(null);
  const recomputing = useAction(decisionsApi.recompute);
  return (
    <div className="mt-4 flex flex-col gap-3">
      <Button
        tone="secondary"
        className="self-start"
        disabled={recomputing.isBusy}
        onClick={() => recomputing.run({ id: decisionId }, { onSuccess: setResult })}
      >
        {recomputing.isBusy ? "Recomputing..." : "Recompute"}
      </Button>
      {recomputing.failure !== null && (
        <Banner kind="failure" detail={recomputing.failure.message}>
          The decision could not be recomputed
        </Banner>
      )}
      {result !== null && recomputing.failure === null && <Result result={result} />}
    </div>
  );
}

function Result({ result }: { result: Answer<typeof decisionsApi.recompute> }) {
  if (result.isIdentical) {
    return (
      <Banner kind="success" detail={`Recomputed in ${result.durationMs} ms from the recorded input.`}>
        Identical, byte for byte
      </Banner>
    );
  }
  if (result.refusal !== null) {
    return (
      <Banner kind="warning" detail={`It was ${result.refusal}.`}>
        Not recomputed
      </Banner>
    );
  }
  return (
    <Banner
      kind="failure"
      detail={
        <span className="flex flex-col gap-1">
          {result.differences.map(({ path, recorded, recomputed }) => (
            <span key={path} className="break-all">
              <span className="font-medium">{path}</span>: recorded <span className="amount">{recorded}</span>, now{" "}
              <span className="amount">{recomputed}</span>
            </span>
          ))}
        </span>
      }
    >
      The result differs
    </Banner>
  );
}
