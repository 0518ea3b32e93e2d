import { preferencesApi } from "@/lib/contracts/preferences.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import {
  readNotificationPreferences,
  saveNotificationPreferences,
} from "@/lib/server/services/preferences/notification-preferences.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(preferencesApi.readNotifications, readNotificationPreferences),
  defineRoute(preferencesApi.saveNotifications, saveNotificationPreferences),
);
