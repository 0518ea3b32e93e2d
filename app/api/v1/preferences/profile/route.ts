import { preferencesApi } from "@/lib/contracts/preferences.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readProfile, saveProfile } from "@/lib/server/services/preferences/profile.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(preferencesApi.readProfile, readProfile),
  defineRoute(preferencesApi.saveProfile, saveProfile),
);
