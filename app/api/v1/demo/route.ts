import { demoApi } from "@/lib/contracts/demo.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readDemo } from "@/lib/server/services/demo/read-demo.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(defineRoute(demoApi.read, readDemo));
