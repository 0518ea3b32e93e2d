import type { Given } from "@/lib/contracts/endpoint.ts";
import type { consoleApi } from "@/lib/contracts/console.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { messageOf } from "../../message-of.ts";
import type { Tx } from "../../db.ts";
import { closeCircuits } from "../../providers/circuit.ts";
import { PROBES, type Probe } from "../../providers/probes.ts";
import { logUserEvents } from "../../core/log-user-events.ts";
import { inTransaction } from "../../core/transaction.ts";
import type { ProviderState } from "./provider-states.ts";

const ANSWER_WITHIN_MS = 10_000;

type Checked = Given<typeof consoleApi.testGlobalApis>;

interface Options {
  probes?: readonly Probe[];
  withinMs?: number;
}

/** An administrator asks every provider now: what is found is kept, and audited with it. */
export async function testProviders(context: Context, _input: object, options: Options = {}): Promise<Checked> {
  const states = await askAll(context, options);
  return inTransaction(context, async (tx) => {
    const checkedAt = await store(context, tx, states);
    await recordAudit(tx, {
      at: checkedAt,
      eventType: "PROVIDERS_TESTED",
      ...callFacts(context),
      data: { configured: namesOf(states, true).length, notWorking: namesOf(states, false) },
    });
    return { checkedAt, providers: states.map((state) => ({ ...state, lastCheck: checkedAt })) };
  });
}

/** The daily check: failures are written to the system's log. */
export async function checkProviders(context: Context, options: Options = {}): Promise<void> {
  const states = await askAll(context, options);
  const failed = states.filter(({ configured, working }) => configured && working === false);
  await inTransaction(context, async (tx) => {
    await store(context, tx, states);
    await logUserEvents(
      tx,
      failed.map(({ provider, message }) => ({
        level: "warn" as const,
        message: `${provider} failed its daily check: ${message}`,
        userId: null,
        marketAt: null,
      })),
    );
  });
}

const namesOf = (states: readonly Omit<ProviderState, "lastCheck">[], isAny: boolean) =>
  states.filter((state) => state.configured && (isAny || state.working === false)).map(({ provider }) => provider);

/** All at once: the slowest one decides how long it takes. */
function askAll(
  { now }: Context,
  { probes = PROBES, withinMs = ANSWER_WITHIN_MS }: Options,
): Promise<Omit<ProviderState, "lastCheck">[]> {
  // Who failed before is asked all the same.
  closeCircuits();
  return Promise.all(
    probes.map(async ({ provider, absence, ask }) => {
      const why = absence();
      if (why !== null) return { provider, configured: false, working: false, message: why };
      try {
        return { provider, configured: true, working: true, message: await within(ask(now()), withinMs) };
      } catch (error) {
        return { provider, configured: true, working: false, message: messageOf(error).slice(0, 300) };
      }
    }),
  );
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Failure("unavailable", `It did not answer within ${Math.round(ms / 1000)} s.`)),
      ms,
    );
  });
  // A failure after the deadline is ignored.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function store({ now }: Context, tx: Tx, states: Omit<ProviderState, "lastCheck">[]): Promise<Date> {
  const at = now();
  await tx.providerCheck.createMany({
    data: states.map(({ provider, configured, working, message }) => ({
      provider,
      configured,
      working: working === true,
      message,
      at,
    })),
  });
  return at;
}
