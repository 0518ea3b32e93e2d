"use client";
import { operationsApi } from "@/lib/contracts/operations.ts";
import { useAction } from "../../../_hooks/use-action.ts";
import { Banner } from "../../../_ui/banner.tsx";
import { Button } from "../../../_ui/button.tsx";
import { Time } from "../../../_ui/time.tsx";
import type { RowsProps } from "./operations-screen.tsx";

const refreshes = [operationsApi.read];

/** Failed mails. Sending again keeps the message id, so that a recipient who has the mail sees it once. */
export function MailRows({ rows, onDone }: RowsProps<"mails">) {
  const one = useAction(operationsApi.sendMailAgain, { refreshes });
  const all = useAction(operationsApi.sendMailsAgain, { refreshes });
  const failure = one.failure ?? all.failure;
  return (
    <div className="flex flex-col gap-3">
      <div>
        <Button
          tone="secondary"
          disabled={all.isBusy}
          onClick={() =>
            all.run(
              {},
              {
                onSuccess: ({ queued }) => onDone(`${queued} ${queued === 1 ? "email is" : "emails are"} sent again.`),
              },
            )
          }
        >
          {all.isBusy ? "Working..." : "Send all again"}
        </Button>
      </div>
      {failure && (
        <Banner kind="failure" detail={failure.message}>
          The email was not sent again
        </Banner>
      )}
      <ul aria-label="Failed emails" className="divide-y divide-line text-sm">
        {rows.map(({ id, recipient, template, failedAt, attempts, error }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-3">
            <span className="min-w-0 flex-1 basis-64 wrap-anywhere">
              <span className="font-medium">{template.replaceAll("-", " ")}</span> to {recipient}
              <span className="block text-muted">
                Failed after {attempts} {attempts === 1 ? "attempt" : "attempts"}, <Time at={failedAt} />
                {error !== null && `: ${error}`}
              </span>
            </span>
            <Button
              tone="secondary"
              disabled={one.isBusy}
              onClick={() => one.run({ id }, { onSuccess: () => onDone("The email is sent again.") })}
            >
              Send again
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
