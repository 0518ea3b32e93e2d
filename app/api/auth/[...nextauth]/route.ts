import NextAuth from "next-auth";
import { nextAuthDoor } from "@/lib/server/http/next-auth-door.ts";
import { authOptions, withDeviceMark, withoutFault } from "@/lib/server/http/next-auth.ts";
import type { Handler } from "@/lib/server/http/route.ts";
import { POST as logIn } from "../../v1/auth/login/route.ts";

const answer: Handler = (request, parameters) =>
  withDeviceMark((onMarked) =>
    // A sign-in that cannot be looked up gets no answer, which would remove its cookie; signing out removes it in any case.
    request.method === "GET"
      ? withoutFault((onFault) => NextAuth(authOptions(logIn, onMarked, onFault))(request, parameters))
      : NextAuth(authOptions(logIn, onMarked))(request, parameters),
  );

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = nextAuthDoor(answer);
