"use client";
import { rotationApi } from "@/lib/contracts/rotation.ts";
import { useCursorPages } from "../../_hooks/use-cursor-pages.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Pager } from "../../_ui/pager.tsx";
import { SkeletonRows } from "../../_ui/skeleton.tsx";
import { RotationConfig } from "./rotation/rotation-config.tsx";
import { RotationPlanCard } from "./rotation/rotation-plan-card.tsx";
import { RotationPlan } from "./rotation/rotation-plan.tsx";

const PAGE = 10;
/** The progress of a plan in execution is shown as it happens, and what another administrator switches. */
const POLL_MS = 5_000;

/** The biweekly rotation: how it is set, and its plans; one plan stands in the address (?tab=rotation&plan=…). */
export function RotationTab() {
  const { values, close } = useUrlValues({ plan: "" });
  if (values.plan !== "") return <RotationPlan planId={values.plan} onClose={() => close({ plan: "" })} />;
  return <RotationPlans />;
}

function RotationPlans() {
  const { open } = useUrlValues({ plan: "" });
  const page = useCursorPages(rotationApi.listPlans, { limit: PAGE }, { pollMs: POLL_MS, pollsLaterPages: true });
  const config = useEndpoint(rotationApi.readConfig, {}, { pollMs: POLL_MS });
  const plans = page.data?.plans ?? [];
  const failed = [config, page].filter(({ failure }) => failure !== null);
  return (
    <div className="flex flex-col gap-4">
      {failed[0] && (
        <FailureNote
          text="Failed to load rotation data"
          detail={failed[0].failure?.message}
          onRetry={() => failed.forEach(({ retry }) => retry())}
        />
      )}
      {(config.isStale || page.isStale) && (
        <p>
          <Badge tone="warn">stale</Badge>
        </p>
      )}
      {config.isLoading && <SkeletonRows />}
      {config.data !== undefined && <RotationConfig config={config.data} />}
      <section aria-labelledby="rotation-plans" className="flex flex-col gap-3">
        <h2 id="rotation-plans" className="text-base font-semibold">
          Plans
        </h2>
        {page.isLoading && <SkeletonRows />}
        {page.data !== undefined && plans.length === 0 && (
          <Empty
            title="No rotation plans yet"
            hint="The first one is made after the first screening of a session, once an account takes part."
          />
        )}
        <ul className="flex flex-col gap-3">
          {plans.map((plan) => (
            <li key={plan.planId}>
              <RotationPlanCard plan={plan} onOpen={() => open({ plan: plan.planId })} />
            </li>
          ))}
        </ul>
        {(page.index > 0 || page.hasNext) && (
          <Pager
            text={`Page ${page.index + 1}`}
            hasPrevious={page.index > 0}
            hasNext={page.hasNext}
            isBusy={page.isRefreshing}
            onPrevious={page.previous}
            onNext={page.next}
          />
        )}
      </section>
    </div>
  );
}
