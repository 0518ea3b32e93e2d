import { rotationApi } from "@/lib/contracts/rotation.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { executePlan } from "@/lib/server/services/rotation/execute-plan.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(rotationApi.executePlan, executePlan),
);
