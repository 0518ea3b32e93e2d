/**
 * A ref for an element whose look follows from a figure: `ref={styled({ width: "40%" })}`. Styles that stand in the markup of a
 * document are stopped by its content security policy; those that a script sets are not.
 */
export const styled = (properties: Record<string, string>) => (element: HTMLElement | SVGElement | null) => {
  for (const [name, value] of Object.entries(properties)) element?.style.setProperty(name, value);
};
