import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { killSwitchApi } from "@/lib/contracts/kill-switch.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { setAccountKillState, setSystemKillState, type KillChange } from "./set-kill-state.ts";
import { setSymbolStop } from "./set-symbol-stop.ts";
import { setUserKillState } from "./set-user-kill-state.ts";

/** An administrator throws, tightens, loosens or lifts a kill switch on one of its four levels. */
export async function throwKillSwitch(
  context: Context,
  input: Received<typeof killSwitchApi.set>,
): Promise<Given<typeof killSwitchApi.set>> {
  const { killState, isChanged } = await change(context, input);
  return { state: killState, isChanged };
}

function change(
  context: Context,
  { scope, state: killState, reason, from }: Received<typeof killSwitchApi.set>,
): Promise<KillChange> {
  const why = { ...(reason === undefined ? {} : { reason }), ...(from === undefined ? {} : { from }) };
  switch (scope.kind) {
    case "system":
      return setSystemKillState(context, { killState, ...why });
    case "user":
      return setUserKillState(context, { userId: scope.userId, killState, ...why });
    case "account":
      return setAccountKillState(context, { id: scope.accountId, killState, ...why });
    case "symbol": {
      const { market, symbol } = scope;
      if (killState !== "NONE" && killState !== "REDUCE_ONLY")
        throw new Failure(
          "invalid_input",
          "A symbol can only be stopped for purchases (REDUCE_ONLY) or released (NONE).",
        );
      return setSymbolStop(context, { market, symbol, killState, ...why });
    }
  }
}
