import { insightApi } from "@/lib/contracts/insight.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { tellRotation } from "@/lib/server/services/insight/tell-rotation.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(insightApi.rotation, tellRotation),
);
