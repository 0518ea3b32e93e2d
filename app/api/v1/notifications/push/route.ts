import { channelsApi } from "@/lib/contracts/channels.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readPush, subscribePush } from "@/lib/server/services/channels/push.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(channelsApi.readPush, readPush),
  defineRoute(channelsApi.subscribePush, subscribePush),
);
