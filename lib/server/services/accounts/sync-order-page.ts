import { jobs } from "@/lib/contracts/jobs.ts";
import type { Context } from "../../context.ts";
import type { PageRange } from "../../jobs/pages.ts";
import { checkByPage } from "../schedule/check-by-page.ts";
import { checkBooks } from "../sync/check-books.ts";

/**
 * The job: looks at the books of the accounts of a range of ids that were woken, and wakes a job for each of which there is something
 * to book, to ask, to send or to read anew.
 */
export async function syncOrderPage(context: Context, range: PageRange): Promise<void> {
  const outcome = await checkByPage(context, range, {
    own: jobs.orderStatus,
    page: jobs.orderStatusPage,
    look: checkBooks,
    onUnread: (err) => context.log.warn("order-status-page.not-read", { market: "any", err }),
  });
  context.log.debug("order-status-page.completed", outcome);
}
