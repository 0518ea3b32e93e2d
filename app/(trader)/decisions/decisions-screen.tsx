"use client";
import { RefreshCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { accountsApi, titleOf } from "@/lib/contracts/accounts.ts";
import { decisionsApi } from "@/lib/contracts/decisions.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { environmentLabel } from "@/lib/domain/environments.ts";
import { countText } from "@/lib/domain/format.ts";
import { useCursorPages } from "../../_hooks/use-cursor-pages.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { useEnvironment } from "../../_hooks/use-environment.ts";
import { useSession } from "../../_hooks/use-session.ts";
import { useTypedPeriod } from "../../_hooks/use-typed-period.ts";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { Button } from "../../_ui/button.tsx";
import { ButtonLink } from "../../_ui/button-link.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { EnvironmentSwitch } from "../../_ui/environment-switch.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { SelectField, TextField } from "../../_ui/field.tsx";
import { GreyWhileOld } from "../../_ui/grey-while-old.tsx";
import { PageHead } from "../../_ui/page-head.tsx";
import { PAGE_ROWS } from "../../_ui/page-rows.ts";
import { Pager } from "../../_ui/pager.tsx";
import { SkeletonRows } from "../../_ui/skeleton.tsx";
import { SwitchField } from "../../_ui/switch-field.tsx";
import { Table } from "../../_ui/table.tsx";
import { columnsOf, DecisionCard, spellsOf } from "./decision-rows.tsx";
import { KeptNote } from "./kept-note.tsx";
import { RehearsalCard } from "./rehearsal-card.tsx";

const POLL_MS = 10_000;

/** As they stand in the address; "" is no filter. */
const NO_FILTERS = { account: "", date: "", orders: "" };

const isId = (text: string) => /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i.test(text);

function useDecisionPages(values: typeof NO_FILTERS) {
  const { input: environment } = useEnvironment();
  const date = useTypedPeriod(values.date, "").first;
  return useCursorPages(
    decisionsApi.list,
    {
      ...environment,
      limit: PAGE_ROWS.decisions,
      ...(values.account === "" ? {} : { accountId: values.account }),
      ...(date === "" ? {} : { date }),
      ...(values.orders === "" ? {} : { hasOrders: "true" as const }),
    },
    { pollMs: POLL_MS },
  );
}

/** An account of another environment filters nothing. One that is not listed was removed, and its decisions stay reachable. */
function useFilters(accounts: Answer<typeof accountsApi.list> = []) {
  const { wanted } = useEnvironment();
  const { values, change, ...filters } = useUrlValues(NO_FILTERS, { account: isId });
  const account = accounts.find(({ id }) => id === values.account);
  const isElsewhere = wanted !== undefined && account !== undefined && environmentLabel(account) !== wanted;
  useEffect(() => {
    if (isElsewhere) change({ account: "" });
  });
  return { ...filters, change, values: isElsewhere ? { ...values, account: "" } : values };
}

export function DecisionsScreen() {
  const router = useRouter();
  const accounts = useEndpoint(accountsApi.list, {});
  const filters = useFilters(accounts.data);
  const page = useDecisionPages(filters.values);
  const rows = page.data?.decisions ?? [];
  const from = page.index * PAGE_ROWS.decisions;
  const own = accounts.data?.filter((account) => environmentLabel(account) === page.data?.environment) ?? [];
  // Of one account alone it need not be said on every row which one it is.
  const hasAccounts = new Set([...own, ...rows.map(({ account }) => account)].map(({ id }) => id)).size > 1;
  return (
    <div className="flex flex-col gap-4">
      <PageHead title="Decisions" environment={<EnvironmentSwitch of={page.data} />} isStale={page.isStale}>
        <Button tone="secondary" onClick={page.retry} disabled={page.isRefreshing}>
          <RefreshCw aria-hidden className="size-4" />
          Refresh
        </Button>
      </PageHead>
      <p className="max-w-prose text-muted">
        Every time Tradewind looked at the market: what it ordered and, for each stock that it did not buy, the rule
        that prevented it and what would have changed that.
      </p>
      {rows.length > 0 && (
        <RehearsalCard key={`${page.data?.environment} ${filters.values.account}`} accountId={filters.values.account} />
      )}
      <DecisionFilters filters={filters} accounts={accounts.data} own={own} />
      {page.failure !== null && (
        <FailureNote text="Failed to load decisions" detail={page.failure.message} onRetry={page.retry} />
      )}
      <GreyWhileOld isOld={page.isOld} className="overflow-clip rounded-xl border border-line bg-surface">
        {page.isLoading && <SkeletonRows />}
        {page.data !== undefined && rows.length === 0 && <NoDecisions isFiltered={filters.isChanged} />}
        {rows.length > 0 && (
          <Table
            caption="Decisions"
            columns={columnsOf(hasAccounts)}
            rows={spellsOf(rows)}
            // The cycle that it began with stays the same while newer ones join.
            rowKey={({ id, cycles }) => cycles.at(-1)?.id ?? id}
            card={(spell) => <DecisionCard spell={spell} hasAccount={hasAccounts} />}
            onOpen={({ id }) => router.push(`/decisions/${id}`)}
          />
        )}
      </GreyWhileOld>
      <KeptNote days={page.data?.keptDays ?? null} />
      {(page.hasNext || page.index > 0) && (
        <Pager
          text={rows.length === 0 ? "" : `Decisions ${countText(from + 1)} to ${countText(from + rows.length)}`}
          hasPrevious={page.index > 0}
          hasNext={page.hasNext}
          isBusy={page.isRefreshing}
          onPrevious={page.previous}
          onNext={page.next}
        />
      )}
    </div>
  );
}

type Accounts = Answer<typeof accountsApi.list>;

interface DecisionFiltersProps {
  filters: ReturnType<typeof useFilters>;
  /** Absent until they are read. */
  accounts: Accounts | undefined;
  /** Those of the environment that is shown. */
  own: Accounts;
}

const numbered = (id: string) => `Account ${id.slice(-8)}`;
const optionOf = (account: Accounts[number]) => ({ value: account.id, label: titleOf(account) });

/** The account that filters although it is not on offer: one that was removed, for instance. */
function optionBeside(id: string, { accounts, own }: Pick<DecisionFiltersProps, "accounts" | "own">) {
  if (id === "" || own.some((account) => account.id === id)) return [];
  if (accounts === undefined) return [{ value: id, label: numbered(id) }];
  const account = accounts.find((each) => each.id === id);
  return [account === undefined ? { value: id, label: "Removed account" } : optionOf(account)];
}

function DecisionFilters({ filters: { values, isChanged, change, clear }, accounts, own }: DecisionFiltersProps) {
  return (
    <section aria-label="Filters" className="grid grid-cols-2 items-end gap-3 sm:grid-cols-4">
      <SelectField
        label="Account"
        options={[
          { value: "", label: "All" },
          ...own.map(optionOf),
          ...optionBeside(values.account, { accounts, own }),
        ]}
        value={values.account}
        onChange={(event) => change({ account: event.target.value })}
      />
      <TextField
        label="Market day"
        type="date"
        value={values.date}
        onChange={(event) => change({ date: event.target.value })}
      />
      <SwitchField
        label="Only with orders"
        isOn={values.orders !== ""}
        onChange={(isOn) => change({ orders: isOn ? "only" : "" })}
      />
      <Button tone="secondary" onClick={clear} disabled={!isChanged}>
        Clear Filters
      </Button>
    </section>
  );
}

function NoDecisions({ isFiltered }: { isFiltered: boolean }) {
  const isAdmin = useSession().user?.role === "ADMIN";
  if (isFiltered) return <Empty title="No decisions found" hint="Try adjusting your filters to see more results." />;
  if (isAdmin)
    return (
      <Empty
        title="No decisions"
        hint="Administrators have no brokerage accounts, so there are no decisions of your own."
      />
    );
  return (
    <Empty
      title="No decisions yet"
      hint="Tradewind records one each time it looks at the market, once an active account is connected and the market is open."
    >
      <ButtonLink tone="secondary" href="/alpaca-keys">
        Connect an account
      </ButtonLink>
    </Empty>
  );
}
