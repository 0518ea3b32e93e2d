import { automationApi } from "@/lib/contracts/automation.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { pauseAutomation } from "@/lib/server/services/automation/pause-automation.ts";
import { readPause } from "@/lib/server/services/automation/read-pause.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(automationApi.readPause, readPause),
  defineRoute(automationApi.pause, pauseAutomation),
);
