import { notificationsApi } from "@/lib/contracts/notifications.ts";
import { defineOneClick } from "@/lib/server/http/one-click.ts";
import { defineRoute } from "@/lib/server/http/route.ts";
import { unsubscribe } from "@/lib/server/services/notifications/unsubscribe.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineOneClick(
  defineRoute(notificationsApi.unsubscribeOneClick, unsubscribe),
  "/unsubscribe",
);
