/** A worker in a process of its own that the crash tests end at a named point: sends the rotation legs of one account. */
import { systemContext } from "../../system-context.ts";
import { closeAccountWriters } from "../../core/account-writer.ts";
import { sendRotationLegs } from "./send-legs.ts";

const [accountId = ""] = process.argv.slice(2);
const context = systemContext("crash-child");
await sendRotationLegs(context, { accountId });
await closeAccountWriters();
await context.db.$disconnect();
