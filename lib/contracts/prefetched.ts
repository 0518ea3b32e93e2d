/** An answer of the API that comes with a page's document: what a screen gets for this path and input. */
export interface PrefetchedAnswer {
  /** Of the contract, below /api/v1. */
  readonly path: string;
  readonly input: object;
  readonly data: unknown;
}
