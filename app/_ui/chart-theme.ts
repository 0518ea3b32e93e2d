/** A colour of the theme that is shown, by the name of its property. */
export const coloursOf = (box: HTMLElement) => (name: string) => getComputedStyle(box).getPropertyValue(name).trim();

/** What charts have in common, in the colours of the theme. */
export function chartTheme(box: HTMLElement) {
  const colour = coloursOf(box);
  const [line, muted] = [colour("--line"), colour("--muted")];
  return {
    layout: {
      background: { color: "transparent" },
      textColor: muted,
      fontFamily: getComputedStyle(box).fontFamily,
      fontSize: 11,
      panes: { separatorColor: line, separatorHoverColor: line },
    },
    grid: { vertLines: { visible: false }, horzLines: { color: line } },
  };
}
