import { Prisma } from "../db.ts";

/** Of a mail `m` of the outbox: it brings a link that opens nothing, because the link was used, its time is over, or it was deleted. */
export const hasDeadLink = (at: Date) => Prisma.sql`(m."props" ->> 'emailTokenId' is not null and not exists (
    select 1 from "EmailToken" t
    where t."id" = case when m."props" ->> 'emailTokenId' ~* '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$'
        then (m."props" ->> 'emailTokenId')::uuid end
      and t."usedAt" is null and t."expiresAt" > ${at}::timestamptz))`;
