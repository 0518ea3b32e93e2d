// Before and after each test of a screen: the product's styles, no call but those that the test answers, nothing left of the test before.
import { afterEach, beforeEach, expect, vi } from "vitest";
import { page } from "vitest/browser";
import { endAnswers, stubbedFetch } from "./answers.ts";
import { answerFrame, hide } from "./show.tsx";
import "@/app/globals.css";

document.documentElement.lang = "en";
document.body.className = "font-sans antialiased";
window.fetch = stubbedFetch;

const SCREEN = { width: 1280, height: 800 };

beforeEach(async () => {
  if (window.innerWidth !== SCREEN.width || window.innerHeight !== SCREEN.height)
    await page.viewport(SCREEN.width, SCREEN.height);
  answerFrame();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  hide();
  document.documentElement.classList.remove("dark");
  window.localStorage.clear();
  window.sessionStorage.clear();
  expect(endAnswers(), "calls that the test does not answer").toEqual([]);
});
