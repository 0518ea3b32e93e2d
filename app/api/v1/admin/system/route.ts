import { systemApi } from "@/lib/contracts/system.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readSystem } from "@/lib/server/services/system/read-system.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(systemApi.read, (context, input) => readSystem(context, input)),
);
