import { channelsApi } from "@/lib/contracts/channels.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readQuietHours, saveQuietHours } from "@/lib/server/services/preferences/quiet-hours.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(channelsApi.readQuietHours, readQuietHours),
  defineRoute(channelsApi.saveQuietHours, saveQuietHours),
);
