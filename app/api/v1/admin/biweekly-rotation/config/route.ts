import { rotationApi } from "@/lib/contracts/rotation.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { changeRotationConfig, readRotationConfig } from "@/lib/server/services/rotation/config.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(rotationApi.readConfig, readRotationConfig),
  defineRoute(rotationApi.changeConfig, changeRotationConfig),
);
