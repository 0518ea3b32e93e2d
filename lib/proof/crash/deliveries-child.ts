/** A worker in a process of its own that sends the notifications that are due. */
import { sendDueDeliveries } from "@/lib/server/services/channels/send-due-deliveries.ts";
import { systemContext } from "@/lib/server/system-context.ts";

await sendDueDeliveries(systemContext("child"));
