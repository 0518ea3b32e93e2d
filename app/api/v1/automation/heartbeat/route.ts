import { automationApi } from "@/lib/contracts/automation.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readHeartbeat } from "@/lib/server/services/automation/read-heartbeat.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(automationApi.heartbeat, readHeartbeat),
);
