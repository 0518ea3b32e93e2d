import NextAuth from "next-auth";
import { formsOnly } from "@/lib/server/http/forms-only.ts";
import { authOptions, withDeviceMark } from "@/lib/server/http/next-auth.ts";
import type { Handler } from "@/lib/server/http/route.ts";
import { POST as logIn } from "../../v1/auth/login/route.ts";

const handler: Handler = formsOnly((request, parameters) =>
  withDeviceMark((onMarked) => NextAuth(authOptions(logIn, onMarked))(request, parameters)),
);
export { handler as GET, handler as POST };
