import { flagsApi } from "@/lib/contracts/flags.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { listFlags } from "@/lib/server/services/flags/list-flags.ts";
import { saveFlag } from "@/lib/server/services/flags/save-flag.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(flagsApi.list, listFlags),
  defineRoute(flagsApi.save, saveFlag),
);
