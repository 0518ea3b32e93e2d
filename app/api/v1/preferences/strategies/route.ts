import { preferencesApi } from "@/lib/contracts/preferences.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { explainPreferences } from "@/lib/server/services/preferences/explain-preferences.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(preferencesApi.explain, explainPreferences),
);
