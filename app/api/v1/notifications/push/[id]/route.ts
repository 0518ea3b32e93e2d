import { channelsApi } from "@/lib/contracts/channels.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { unsubscribePush } from "@/lib/server/services/channels/push.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(channelsApi.unsubscribePush, unsubscribePush),
);
