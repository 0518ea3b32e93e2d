import { flagsApi } from "@/lib/contracts/flags.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { removeFlag } from "@/lib/server/services/flags/remove-flag.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(defineRoute(flagsApi.remove, removeFlag));
