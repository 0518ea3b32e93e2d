import { flagsApi } from "@/lib/contracts/flags.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readFlags } from "@/lib/server/services/flags/read-flags.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(defineRoute(flagsApi.read, readFlags));
