/** The worker that shows pushes. instrumentation-client.ts lets no other run. */
export const PUSH_WORKER = "/push-worker.js";
