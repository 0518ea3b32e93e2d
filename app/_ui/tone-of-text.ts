/** Which way a signed figure points, judged by what is shown: "0.00%" points nowhere, whatever it was rounded from. */
export const toneOfText = (text: string) =>
  text.startsWith("+") ? "text-gain" : text.startsWith("-") ? "text-loss" : "";
