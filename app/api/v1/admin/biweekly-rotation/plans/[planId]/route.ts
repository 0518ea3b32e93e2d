import { rotationApi } from "@/lib/contracts/rotation.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readPlan } from "@/lib/server/services/rotation/read-plan.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(rotationApi.readPlan, readPlan),
);
