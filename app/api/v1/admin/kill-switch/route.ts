import { killSwitchApi } from "@/lib/contracts/kill-switch.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readKillSwitch } from "@/lib/server/services/automation/read-kill-switch.ts";
import { throwKillSwitch } from "@/lib/server/services/automation/throw-kill-switch.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(killSwitchApi.read, readKillSwitch),
  defineRoute(killSwitchApi.set, throwKillSwitch),
);
