/** A worker in a process of its own that the crash tests end at a named point: sends the rotation legs of one account. */
import { sendRotationLegs } from "@/lib/server/services/rotation/send-legs.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { closeAccountWriters } from "../../server/core/account-writer.ts";

const [accountId = ""] = process.argv.slice(2);
const context = systemContext("crash-child");
await sendRotationLegs(context, { accountId });
await closeAccountWriters();
await context.db.$disconnect();
