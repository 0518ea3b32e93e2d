import { notificationsApi } from "@/lib/contracts/notifications.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { listNotifications } from "@/lib/server/services/notifications/list-notifications.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(notificationsApi.list, listNotifications),
);
