import { channelsApi } from "@/lib/contracts/channels.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { retryDelivery } from "@/lib/server/services/channels/deliveries.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(channelsApi.retryDelivery, retryDelivery),
);
