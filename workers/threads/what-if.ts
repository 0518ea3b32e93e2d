/** The program of a thread in which one what-if is figured; the worker starts it. */
import { serveWhatIfThread } from "@/lib/server/services/policy/serve-what-if.ts";

await serveWhatIfThread();
