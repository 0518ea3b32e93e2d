import { defineNothing } from "@/lib/server/http/route.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineNothing();
