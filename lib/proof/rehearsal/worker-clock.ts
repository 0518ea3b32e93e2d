/** Loaded before the worker: its clock is the rehearsal's, which says by message when it jumps. */
import { setClockOffset } from "./moved-clock.ts";

setClockOffset(Number(process.env.REHEARSAL_OFFSET_MS));
process.on("message", (message) => {
  const { clockOffsetMs } = message as { clockOffsetMs?: number };
  if (clockOffsetMs !== undefined) setClockOffset(clockOffsetMs);
});
// The channel alone keeps no worker from ending.
process.channel?.unref();
