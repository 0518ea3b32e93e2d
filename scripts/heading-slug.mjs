/**
 * The anchor of a heading, as GitHub makes it: the documentation site is told to make the same, so that a link works in both.
 * @param {string} heading its text, without Markdown
 */
export const slugOf = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
