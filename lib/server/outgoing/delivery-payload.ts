import * as z from "zod";
import { ENVIRONMENTS, NOTIFICATION_KINDS } from "@/lib/domain/enums.ts";

/** What a delivery says, as its row keeps it: its receiver's address and the full link are added when it is sent. */
export const deliveryPayload = z.strictObject({
  /** "TEST" is asked for by hand and is no notification. */
  kind: z.enum([...NOTIFICATION_KINDS, "TEST"]),
  /** Wall time. */
  createdAt: z.iso.datetime(),
  /** Market time of what happened; null for what has none. */
  marketAt: z.iso.datetime().nullable(),
  title: z.string(),
  text: z.string(),
  environment: z.enum(ENVIRONMENTS).nullable(),
  /** A page of the product, "/trade-history". */
  link: z.string().nullable(),
});
export type DeliveryPayload = z.output<typeof deliveryPayload>;
