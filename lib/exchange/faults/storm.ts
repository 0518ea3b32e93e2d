import * as z from "zod";
import { Refusal } from "../book/refusal.ts";
import { randomOf, seedOf } from "../market/seeded.ts";
import { FAULT_KINDS, type FaultInput, type FaultKind, kindOf } from "./kinds.ts";

const stormInput = z.strictObject({
  seed: z.int().min(0),
  /** How many faults. */
  faults: z.int().min(1).max(10_000),
  /** They begin within this many wall milliseconds. */
  over_ms: z.number().min(0),
  /** The longest delay of kinds that take one. */
  most_ms: z.number().min(1).default(2_000),
  kinds: z.array(z.enum(FAULT_KINDS)).min(1).optional(),
  /** Faults of requests strike these; orders when absent. */
  method: z.string().optional(),
  path: z.string().default("/v2/orders"),
  account: z.string().optional(),
});
export type StormInput = z.input<typeof stormInput>;

/** What happens to a POST of an order in a bad hour. */
const USUAL: readonly FaultKind[] = [
  "drop_before_accept",
  "drop_after_accept",
  "late_accept",
  "hang",
  "delay",
  "status",
  "status_after_accept",
  "garbage_200",
  "truncated_200",
  "wrong_types",
];

const STATUSES = [429, 500, 502, 503, 504];
const EVENTS_AND_SOCKETS = new Set(["event", "socket", "once", "venue"]);

/** A random schedule: the same seed and wishes give the same list of faults. */
export function storm(wishes: StormInput): FaultInput[] {
  const read = stormInput.safeParse(wishes);
  if (!read.success) {
    const issue = read.error.issues[0];
    throw new Refusal(400, 40010000, `storm: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}`);
  }
  const { seed, faults, over_ms, most_ms, kinds = USUAL, method, path, account } = read.data;
  const random = randomOf(seedOf(seed, "storm"));
  const below = (n: number) => Math.floor(random() * n);
  return Array.from({ length: faults }, () => {
    const kind = kinds[below(kinds.length)] as FaultKind;
    const { stage, takes = [] } = kindOf(kind);
    // Drawn whether used or not, so that a kind's parameters do not move the draws after it.
    const [at, ms, status] = [below(over_ms + 1), 1 + below(most_ms), STATUSES[below(STATUSES.length)] as number];
    const isOfRequest = !EVENTS_AND_SOCKETS.has(stage);
    return {
      kind,
      after_ms: at,
      count: 1 + below(3),
      ...(account !== undefined && { account }),
      ...(isOfRequest && { method: (method ?? "POST") as NonNullable<FaultInput["method"]>, path }),
      ...(takes.includes("ms") && { ms }),
      ...(takes.includes("status") && { status }),
    };
  });
}
