import type { Given } from "@/lib/contracts/endpoint.ts";
import type { decisionsApi } from "@/lib/contracts/decisions.ts";
import type { GateResult } from "@/lib/domain/engine/plan.ts";
import { GATE_NAMES, GATE_WORDS } from "@/lib/domain/engine/reasons.ts";
import { marginText } from "@/lib/domain/gates/margin-text.ts";

/** A recorded verdict of one gate, in words. */
export function gateView(gate: GateResult): Given<typeof decisionsApi.read>["candidates"][number]["gates"][number] {
  return { ...gate, word: GATE_WORDS[gate.code], name: GATE_NAMES[gate.code], marginText: marginText(gate) };
}
