import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { DepthLine } from "./depth-line.tsx";

const caption = page.getByRole("figure");

test("the queue's last depth is that of the newest sample at its time, not the deepest of ten minutes", async () => {
  const points = [{ at: "2026-11-27T06:30:00.000Z", pending: 500 }];
  showPage(
    "/admin/system",
    ADMIN,
    <DepthLine points={points} newest={{ at: "2026-11-27T06:39:00.000Z", pending: 0 }} />,
  );
  await expect.element(caption).toHaveTextContent(/at most 500, 0 last \(.*39:00.*\)\.$/);
});

test("where the queue did not answer last, no last depth is told", async () => {
  const points = [{ at: "2026-11-27T06:30:00.000Z", pending: 500 }];
  const newest = { at: "2026-11-27T06:39:00.000Z", pending: null };
  showPage("/admin/system", ADMIN, <DepthLine points={points} newest={newest} />);
  await expect.element(caption).toHaveTextContent(/at most 500\.$/);
});
