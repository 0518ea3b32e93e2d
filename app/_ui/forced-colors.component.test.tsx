import { afterEach, beforeEach, expect, test } from "vitest";
import { cdp, page, type Locator } from "vitest/browser";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { AutomationCard } from "../(trader)/dashboard/automation-card.tsx";
import { Segmented } from "./segmented.tsx";
import { SwitchField } from "./switch-field.tsx";

const force = (value: "active" | "none") =>
  cdp().send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value }] });
beforeEach(() => force("active"));
afterEach(() => force("none"));

const ground = (node: Element) => window.getComputedStyle(node).backgroundColor;
const groundOf = async (of: Locator) => ground(await of.findElement());

test("in forced colors a switch that is on looks other than one that is off, and its knob stands out in both", async () => {
  showPage(
    "/settings",
    TRADER,
    <>
      <SwitchField label="First" isOn onChange={() => {}} />
      <SwitchField label="Second" isOn={false} onChange={() => {}} />
    </>,
  );
  const tracks = [];
  for (const name of ["First", "Second"]) {
    const track = await page.getByRole("switch", { name }).findElement();
    // The knob moves to its colour as it moves to its place.
    await expect.poll(() => ground(track.firstElementChild!)).not.toBe(ground(track));
    tracks.push(ground(track));
  }
  expect(tracks[0]).not.toBe(tracks[1]);
});

test("in forced colors the chosen button of several is marked, and its text can be read", async () => {
  const options = [
    { value: "one", label: "One" },
    { value: "two", label: "Two" },
  ] as const;
  showPage("/settings", TRADER, <Segmented label="Which" options={options} value="one" onChange={() => {}} />);
  const chosen = page.getByRole("button", { name: "One" });
  // The others have no ground of their own.
  expect(await groundOf(chosen)).not.toBe(await groundOf(page.getByRole("group", { name: "Which" })));
  const button = await chosen.findElement();
  expect(window.getComputedStyle(button).color).not.toBe(ground(button));
});

test("in forced colors the dot of the automation is there", async () => {
  showPage("/dashboard", TRADER, <AutomationCard beat={undefined} isLoading={false} />);
  const dot = await page.getByRole("img", { name: "Not initialized yet" }).findElement();
  const card = [...document.querySelectorAll("section, div")].filter((node) => node.contains(dot)).at(-1)!;
  expect(ground(dot)).not.toBe("rgba(0, 0, 0, 0)");
  expect(ground(dot)).not.toBe(ground(card));
});
