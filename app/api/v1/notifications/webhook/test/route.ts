import { channelsApi } from "@/lib/contracts/channels.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { testWebhook } from "@/lib/server/services/channels/webhook.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(channelsApi.testWebhook, testWebhook),
);
