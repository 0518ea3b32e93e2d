import type { Received } from "@/lib/contracts/endpoint.ts";
import type { backtestsApi } from "@/lib/contracts/backtests.ts";
import { DEFAULT_PREFERENCES, type PreferencesView } from "@/lib/domain/preferences.ts";
import { decimalTexts } from "../../core/preferences-view.ts";

/** Settings as the engine reads them. No account is traded, and the engine looks once a session, whatever the interval. */
export const preferencesOf = (settings: Received<typeof backtestsApi.create>["settings"]): PreferencesView => ({
  ...DEFAULT_PREFERENCES,
  ...decimalTexts(settings),
});
