/** Stands in a text for the address of the operator's support. */
export const SUPPORT = "{support}";

/** A numbered paragraph, with the words it begins with and its list of points if it has them. */
export interface Clause {
  lead?: string;
  text: string;
  items?: readonly string[];
}

export interface LegalSection {
  /** The anchor of the heading. */
  id: string;
  title: string;
  clauses: readonly Clause[];
}
