import { expect, test } from "vitest";
import { cdp, page } from "vitest/browser";
import { ResetScreen } from "@/app/(public)/auth/reset-password/reset-screen.tsx";
import { storeToken } from "@/lib/client/storage.ts";
import { authCalls } from "@/lib/contracts/auth-calls.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { showPageOfCookie, showPublicPage } from "@/lib/proof/screen/show.tsx";

test("the header of public pages names the person of a token, and no person whose cookie alone is left", async () => {
  showPageOfCookie("/learn-more", "Tessa Example", <p>Words of the page</p>);
  await expect.element(page.getByText("Words of the page")).toBeVisible();
  await expect.element(page.getByText("Tessa Example")).not.toBeInTheDocument();
  await expect.element(page.getByRole("link", { name: "Sign in" })).toBeVisible();
  storeToken("a-token");
  showPageOfCookie("/learn-more", "Tessa Example", <p>Words of the page</p>);
  await expect.element(page.getByRole("link", { name: "Tessa Example" })).toBeVisible();
});

interface Box {
  name: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Where a link takes presses: its own box and what its `::after` adds around it. */
function pressedBox(link: Element): Box {
  const { left, top, width, height } = link.getBoundingClientRect();
  const around = getComputedStyle(link, "::after");
  const dx = Math.max(0, (Number.parseFloat(around.width) - width) / 2 || 0);
  const dy = Math.max(0, (Number.parseFloat(around.height) - height) / 2 || 0);
  const name = link.textContent;
  return { name, left: left - dx, right: left + width + dx, top: top - dy, bottom: top + height + dy };
}

test("under a finger the links of the footer and the way back to the login take presses on 44 px, and none on another's", async () => {
  const touch = (enabled: boolean) => cdp().send("Emulation.setTouchEmulationEnabled", { enabled });
  answer(authCalls.checkResetLink, { isOpen: false });
  await page.viewport(390, 844);
  await touch(true);
  try {
    showPublicPage("/auth/reset-password?token=a-token", <ResetScreen token="a-token" />);
    await expect.element(page.getByRole("link", { name: "Request a new link" })).toBeVisible();
    expect(window.matchMedia("(pointer: coarse)").matches).toBe(true);
    const boxes = [...document.querySelectorAll("footer a, main a, main button[type=submit]")].map(pressedBox);
    expect(boxes.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "Privacy Policy",
        "Terms of Service",
        "API",
        "Contact Support",
        "Request a new link",
        "Back to Login",
      ]),
    );
    for (const { name, left, right, top, bottom } of boxes)
      expect(Math.min(right - left, bottom - top), name).toBeGreaterThanOrEqual(43.9);
    const areApart = (a: Box, b: Box) =>
      a.right <= b.left + 0.1 || b.right <= a.left + 0.1 || a.bottom <= b.top + 0.1 || b.bottom <= a.top + 0.1;
    const overlaps = boxes.flatMap((a, nth) =>
      boxes
        .slice(nth + 1)
        .filter((b) => !areApart(a, b))
        .map((b) => [a.name, b.name]),
    );
    expect(overlaps).toEqual([]);
  } finally {
    await touch(false);
  }
});
