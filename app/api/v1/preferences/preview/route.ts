import { preferencesPreviewApi } from "@/lib/contracts/preferences-preview.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { startPreview } from "@/lib/server/services/backtests/start-preview.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(preferencesPreviewApi.start, startPreview),
);
