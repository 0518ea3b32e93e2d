import { rotationApi } from "@/lib/contracts/rotation.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { listPlans } from "@/lib/server/services/rotation/list-plans.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(rotationApi.listPlans, listPlans),
);
