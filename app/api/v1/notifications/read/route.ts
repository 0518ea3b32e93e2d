import { notificationsApi } from "@/lib/contracts/notifications.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readNotifications } from "@/lib/server/services/notifications/read-notifications.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(notificationsApi.read, readNotifications),
);
