// A reporter of Playwright: tells the program that started it when nothing is left but the journeys that come one by one.

/** Their projects in playwright.config.ts, in their order. */
export const ONE_BY_ONE = ["rotation", "alone"];

export default class {
  #isTold = false;
  #tell;

  /** @param {{ tell?: (what: string) => void }} options */
  constructor({ tell = (what) => process.send?.(what) } = {}) {
    this.#tell = tell;
  }

  /** @param {{ parent: { project: () => { name: string } | undefined } }} test */
  onTestBegin(test) {
    if (this.#isTold || !ONE_BY_ONE.includes(test.parent.project()?.name ?? "")) return;
    this.#isTold = true;
    this.#tell("one by one");
  }
}
