import NextAuth from "next-auth";
import { nextAuthDoor } from "@/lib/server/http/next-auth-door.ts";
import { authOptions, withDeviceMark } from "@/lib/server/http/next-auth.ts";
import { POST as logIn } from "../../v1/auth/login/route.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = nextAuthDoor((request, parameters) =>
  withDeviceMark((onMarked) => NextAuth(authOptions(logIn, onMarked))(request, parameters)),
);
