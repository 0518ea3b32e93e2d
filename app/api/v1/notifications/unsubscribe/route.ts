import { notificationsApi } from "@/lib/contracts/notifications.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { unsubscribe } from "@/lib/server/services/notifications/unsubscribe.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(notificationsApi.unsubscribe, unsubscribe),
);
