import { securityText } from "@/lib/server/http/security-text.ts";

/** Its address and contact are settings of the running installation. */
export const dynamic = "force-dynamic";
export const GET = () => securityText(new Date());
