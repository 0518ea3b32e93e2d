/** Called before the router handles Back or Forward; preventing it keeps the step from the router. */
export const BEFORE_STEP = "before-step";
