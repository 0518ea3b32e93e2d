import type { Given } from "@/lib/contracts/endpoint.ts";
import type { decisionsApi } from "@/lib/contracts/decisions.ts";
import type { GateResult } from "@/lib/domain/engine/plan.ts";
import { GATE_OF } from "@/lib/domain/gates/gates.ts";
import { marginText } from "@/lib/domain/gates/margin-text.ts";
import { closeness } from "@/lib/domain/insight/closeness.ts";

/** A recorded verdict of one gate, in words. */
export function gateView(gate: GateResult): Given<typeof decisionsApi.read>["candidates"][number]["gates"][number] {
  const { label, name = label, explanation } = GATE_OF[gate.code];
  const distances = { marginText: marginText(gate), closeness: closeness(gate) };
  return { ...gate, word: label, name, text: explanation, ...distances };
}
