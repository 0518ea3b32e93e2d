import type { Prisma } from "../db.ts";

export type Account = Prisma.AccountGetPayload<object>;
export type Cycle = Prisma.CycleGetPayload<object>;
export type Intent = Prisma.IntentGetPayload<object>;
export type Order = Prisma.OrderGetPayload<object>;
export type Fill = Prisma.FillGetPayload<object>;
export type Notification = Prisma.NotificationGetPayload<object>;
