/** Words that the checker of texts knows. What stands in none of these lists has to stand in the record. */

/** Words that say nothing by themselves. Not among them: words of time, cause, order, quantity and comparison. */
export const GLUE = new Set(
  (
    "the a an of at in on for to with by its it is was were are be been being has have had that this these those from as " +
    "and while but which who your there here record recorded records noted shows stands stood their them they"
  ).split(" "),
);

/** Where one thing that is said ends and another begins. */
export const JOINTS = new Set(["and", "but", "while", "whereas", "although", "though", "because", "so", "or"]);

export const NEGATIONS = new Set(
  "not no never none nothing nobody neither nor without cannot can't isn't wasn't weren't aren't didn't doesn't don't hasn't haven't hadn't".split(
    " ",
  ),
);

export const HYPOTHETICAL = new Set("would could might if supposed hypothetical".split(" "));

/** A promise, a forecast or advice: in no text, whatever the record says. */
export const FORBIDDEN: Record<"promise" | "advice", ReadonlySet<string>> = {
  promise: new Set(
    (
      "will won't shall guarantee guaranteed guarantees guaranteeing promise promises promised certain certainly sure surely " +
      "definitely inevitably expect expects expected predict predicts predicted forecast forecasts likely probably tomorrow soon " +
      "bound risk-free riskless safe safely assured destined going"
    ).split(" "),
  ),
  advice: new Set(
    (
      "should shouldn't must ought recommend recommends recommended advise advises advised advice suggest suggests suggested " +
      "consider considering opportunity bargain undervalued overvalued better-off"
    ).split(" "),
  ),
};

/** Verbs that a sentence may not begin with: it would be an order to the reader. */
export const IMPERATIVES = new Set(
  "buy sell hold keep add take avoid watch wait get invest increase reduce close open trade switch move put start stop".split(
    " ",
  ),
);

/** Words of direction: allowed beside a figure whose sign says the same, or where the record has them. */
export const DIRECTIONS: Record<"rise" | "fall", ReadonlySet<string>> = {
  rise: new Set("gained gain gains rose rise rises up higher profit profits climbed increased earned won".split(" ")),
  fall: new Set("lost loss losses fell fall falls down lower dropped declined decreased sank".split(" ")),
};
