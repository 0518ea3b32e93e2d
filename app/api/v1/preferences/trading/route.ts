import { preferencesApi } from "@/lib/contracts/preferences.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import {
  readTradingPreferences,
  saveTradingPreferences,
} from "@/lib/server/services/preferences/trading-preferences.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(preferencesApi.readTrading, readTradingPreferences),
  defineRoute(preferencesApi.saveTrading, saveTradingPreferences),
);
