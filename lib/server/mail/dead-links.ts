import { Prisma } from "../db.ts";

/** The id of the link that a mail `m` of the outbox brings. */
const LINK_OF = Prisma.sql`case when m."props" ->> 'emailTokenId' ~* '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$'
        then (m."props" ->> 'emailTokenId')::uuid end`;

/** Of a mail `m` of the outbox: its link was used, so that its reader needs it no more. */
export const hasUsedLink = Prisma.sql`exists (select 1 from "EmailToken" t where t."id" = ${LINK_OF} and t."usedAt" is not null)`;

/** Of a mail `m` of the outbox: it brings a link that opens nothing, because the link was used, its time is over, or it was deleted. */
export const hasDeadLink = (at: Date) => Prisma.sql`(m."props" ->> 'emailTokenId' is not null and not exists (
    select 1 from "EmailToken" t
    where t."id" = ${LINK_OF}
      and t."usedAt" is null and t."expiresAt" > ${at}::timestamptz))`;
