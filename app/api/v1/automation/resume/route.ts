import { automationApi } from "@/lib/contracts/automation.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { resumeAutomation } from "@/lib/server/services/automation/resume-automation.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(automationApi.resume, resumeAutomation),
);
