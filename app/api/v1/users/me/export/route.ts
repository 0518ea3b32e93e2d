import { usersApi } from "@/lib/contracts/users.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { exportUserData } from "@/lib/server/services/users/export-user-data.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(usersApi.export, exportUserData),
);
