import { rotationApi } from "@/lib/contracts/rotation.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { rejectPlan } from "@/lib/server/services/rotation/decide-plan.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(rotationApi.rejectPlan, rejectPlan),
);
