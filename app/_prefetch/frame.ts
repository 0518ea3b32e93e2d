import { headers } from "next/headers";
import * as accounts from "@/app/api/v1/accounts/route.ts";
import * as me from "@/app/api/v1/auth/me/route.ts";
import * as market from "@/app/api/v1/automation/market/route.ts";
import * as pause from "@/app/api/v1/automation/pause/route.ts";
import * as notifications from "@/app/api/v1/notifications/route.ts";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { authCalls } from "@/lib/contracts/auth-calls.ts";
import { automationApi } from "@/lib/contracts/automation.ts";
import { notificationsApi } from "@/lib/contracts/notifications.ts";
import type { RoleName } from "@/lib/domain/enums.ts";
import { prefetch } from "@/lib/server/http/prefetch.ts";
import type { FrameDocument } from "../_ui/signed-in-frame.tsx";
import { read } from "./read.ts";

const FOR_ALL = [
  read(me, authCalls.me, {}),
  read(market, automationApi.market, {}),
  read(notifications, notificationsApi.list, {}),
];
const FOR_TRADERS = [read(accounts, accountsApi.list, {}), read(pause, automationApi.readPause, {})];

/** What the document holds for the frame of every signed-in page, for a person with this role; null where there is none. */
export async function frameDocument(role: RoleName | null): Promise<FrameDocument> {
  const agent = await headers();
  const isPhone = agent.get("sec-ch-ua-mobile") === "?1" || /\bMobi/.test(agent.get("user-agent") ?? "");
  const answers = role === null ? [] : await prefetch(role === "USER" ? [...FOR_ALL, ...FOR_TRADERS] : FOR_ALL);
  const person = answers.find(({ path }) => path === authCalls.me.path)?.data as FrameDocument["person"] | undefined;
  return { person: person ?? null, isPhone, answers };
}
