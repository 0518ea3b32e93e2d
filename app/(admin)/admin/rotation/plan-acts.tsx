"use client";
import { useState } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { rotationApi } from "@/lib/contracts/rotation.ts";
import { moneyText } from "@/lib/domain/format.ts";
import { useAction } from "../../../_hooks/use-action.ts";
import { Banner } from "../../../_ui/banner.tsx";
import { Button } from "../../../_ui/button.tsx";
import { DialogButtons } from "../../../_ui/dialog-buttons.tsx";
import { Dialog } from "../../../_ui/dialog.tsx";
import { TextArea } from "../../../_ui/field.tsx";
import { Time } from "../../../_ui/time.tsx";
import { TypedDialog } from "../../../_ui/typed-dialog.tsx";
import { isOpen as isPlanOpen, type Plan } from "./labels.ts";

const REFRESHES = [rotationApi.listPlans, rotationApi.readPlan];
type Open = "reject" | "execute" | null;

/** Approve, reject with a reason, execute by typing. A refusal of the server stands here in its own words. */
export function PlanActs({ plan }: { plan: Plan }) {
  const [open, setOpen] = useState<Open>(null);
  const [failure, setFailure] = useState<{ text: string; detail: string } | null>(null);
  const approve = useAction(rotationApi.approvePlan, { refreshes: REFRESHES });
  const reject = useAction(rotationApi.rejectPlan, { refreshes: REFRESHES });
  const execute = useAction(rotationApi.executePlan, { refreshes: REFRESHES });
  const { planId, version, approvalStatus } = plan;
  const then = (text: string) => ({
    onSuccess: (_answer: Answer<typeof rotationApi.approvePlan>) => {
      setOpen(null);
      setFailure(null);
    },
    onFailure: ({ message }: { message: string }) => {
      setOpen(null);
      setFailure({ text, detail: message });
    },
  });
  // Without an order there is nothing to decide.
  if (plan.actions.length === 0 || !isPlanOpen(plan)) return null;
  const isBusy = approve.isBusy || reject.isBusy || execute.isBusy;
  return (
    <div className="flex flex-col gap-3">
      {failure !== null && (
        <Banner kind="failure" detail={failure.detail}>
          {failure.text}
        </Banner>
      )}
      {plan.secondNeededUntil !== null && (
        <Banner kind="warning">
          A second administrator has to execute this plan as well, before <Time at={plan.secondNeededUntil} />.
        </Banner>
      )}
      <div className="flex flex-wrap gap-2">
        {approvalStatus === "PENDING" && (
          <>
            <Button disabled={isBusy} onClick={() => approve.run({ planId, version }, then("Failed to approve plan"))}>
              Approve
            </Button>
            <Button tone="secondary" disabled={isBusy} onClick={() => setOpen("reject")}>
              Reject
            </Button>
          </>
        )}
        {approvalStatus === "APPROVED" && !plan.isAdvisoryOnly && (
          <Button tone="danger" disabled={isBusy} onClick={() => setOpen("execute")}>
            Execute
          </Button>
        )}
      </div>
      {approvalStatus === "APPROVED" && plan.isAdvisoryOnly && (
        <p className="text-sm text-muted">Made as a preview: this plan is never executed.</p>
      )}
      <RejectDialog
        isOpen={open === "reject"}
        onClose={() => setOpen(null)}
        isBusy={reject.isBusy}
        onReject={(reason) => reject.run({ planId, version, reason }, then("Failed to reject plan"))}
      />
      <TypedDialog
        isOpen={open === "execute"}
        onClose={() => setOpen(null)}
        title="Execute the plan"
        description={`Orders of ${moneyText(plan.tradedUsd)} are sent in ${plan.tradedAccountCount} ${plan.tradedAccountCount === 1 ? "account" : "accounts"}: sales first, purchases once those are settled. Each order is checked again before it is sent.${plan.needsSecond ? " The policy in force asks for two administrators: nothing is sent until both have executed the plan." : ""}`}
        phrase="EXECUTE"
        action="Execute"
        isBusy={execute.isBusy}
        onConfirm={() => execute.run({ planId, version }, then("Failed to execute plan"))}
      />
    </div>
  );
}

interface RejectDialogProps {
  isOpen: boolean;
  onClose: () => void;
  isBusy: boolean;
  onReject: (reason: string) => void;
}

function RejectDialog({ isOpen, onClose, isBusy, onReject }: RejectDialogProps) {
  const [reason, setReason] = useState("");
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Reject the plan"
      description="It is not executed. The next plan is made when a rotation is due again."
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (reason.trim() !== "") onReject(reason);
        }}
      >
        <TextArea label="Reason" maxLength={300} value={reason} onChange={(event) => setReason(event.target.value)} />
        <DialogButtons onCancel={onClose} action="Reject" isDisabled={isBusy || reason.trim() === ""} />
      </form>
    </Dialog>
  );
}
