import { operationsApi } from "@/lib/contracts/operations.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { sendMailsAgain } from "@/lib/server/services/operations/send-mails-again.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(operationsApi.sendMailsAgain, sendMailsAgain),
);
