"use client";
import { X } from "lucide-react";
import Link from "next/link";
import { useState, useSyncExternalStore } from "react";
import type { accountsApi } from "@/lib/contracts/accounts.ts";
import type { automationApi } from "@/lib/contracts/automation.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { SessionUser } from "../../_hooks/use-session.ts";
import { Card } from "../../_ui/card.tsx";
import { Check } from "../../_ui/icons.tsx";

/** Holds the id of the user who dismissed the list in this browser. */
const KEY = "first_run_hidden";

interface Step {
  title: string;
  hint: string;
  href: string;
  isDone: boolean;
  isOptional?: true;
}

interface FirstRunProps {
  user: SessionUser;
  accounts: Answer<typeof accountsApi.list>;
  beat: Answer<typeof automationApi.heartbeat>;
}

function stepsOf({ user, accounts, beat }: FirstRunProps): Step[] {
  return [
    {
      title: "Verify your email",
      hint: "Open the link in the email.",
      href: "/settings",
      isDone: user.emailVerified,
    },
    {
      title: "Practice market or keys",
      hint: "An account to trade in.",
      href: "/alpaca-keys",
      isDone: accounts.some((account) => account.hasKeys),
    },
    {
      title: "Strategy and risk",
      hint: "Look at the limits and save them.",
      href: "/settings?tab=trading",
      isDone: beat.hasChosenStrategy,
    },
    {
      title: "First look at the market",
      hint: "What was decided, and why.",
      href: beat.lastDecision === null ? "/decisions" : `/decisions/${beat.lastDecision.id}`,
      isDone: beat.hasDecided,
    },
    {
      title: "Connect a paper account",
      hint: "The real market, with simulated money.",
      href: "/alpaca-keys",
      isDone: accounts.some(({ broker, environment }) => broker === "ALPACA" && environment === "PAPER"),
    },
    {
      title: "Go LIVE",
      hint: "Only if you want to; you confirm it by typing.",
      href: "/alpaca-keys",
      isDone: accounts.some(({ environment, status }) => environment === "LIVE" && status !== "INACTIVE"),
      isOptional: true,
    },
  ];
}

/** The first steps, each ticked by what happened and not by a click. Hidden once they are done or dismissed. */
export function FirstRun(props: FirstRunProps) {
  const dismissedBy = useSyncExternalStore(subscribe, keptId, () => null);
  const [isHidden, setHidden] = useState(false);
  const steps = stepsOf(props);
  const open = steps.filter((step) => !step.isDone && step.isOptional !== true);
  if (isHidden || dismissedBy === props.user.id || open.length === 0) return null;
  const hide = () => {
    setHidden(true);
    try {
      window.localStorage.setItem(KEY, props.user.id);
    } catch {
      // A browser that keeps nothing shows the list again.
    }
  };
  return (
    <Card
      title={`First steps: ${steps.filter((step) => step.isDone).length} of ${steps.length} done`}
      aside={
        <button
          type="button"
          aria-label="Hide the first steps"
          onClick={hide}
          className="relative flex size-7 items-center justify-center rounded-lg text-muted after:absolute after:-inset-2 hover:bg-sunken hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </button>
      }
    >
      <ol className="grid gap-x-6 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
        {steps.map((step, index) => (
          <li key={step.title} className="flex gap-3">
            <span
              aria-hidden
              className={`mt-0.5 flex size-5 shrink-0 items-center justify-center rounded-full text-xs font-medium ${step.isDone ? "bg-gain-soft text-gain" : "border border-line-strong text-muted"}`}
            >
              {step.isDone ? <Check className="size-3" /> : index + 1}
            </span>
            <div className="min-w-0">
              <p className="flex flex-wrap gap-x-2">
                {step.isDone ? (
                  <span>{step.title}</span>
                ) : (
                  <Link href={step.href} className="font-medium text-accent underline-offset-4 hover:underline">
                    {step.title}
                  </Link>
                )}
                <span className="text-muted">
                  {step.isDone ? "Done" : step.isOptional === true ? "Optional" : step === open[0] ? "Next" : ""}
                </span>
              </p>
              <p className="text-xs text-muted">{step.hint}</p>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** Another tab may dismiss them, too. */
function subscribe(listener: () => void): () => void {
  window.addEventListener("storage", listener);
  return () => window.removeEventListener("storage", listener);
}

function keptId(): string | null {
  try {
    return window.localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
