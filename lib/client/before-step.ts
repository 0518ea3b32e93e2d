/** Told before the router hears of Back or Forward; who prevents it keeps the step from the router. */
export const BEFORE_STEP = "before-step";
