import { DATA_AND_PRIVACY } from "./data-and-privacy.ts";
import { AVAILABILITY, CHANGES, CONTACT } from "./availability-changes-contact.ts";
import { INVESTMENT, LIABILITY, SERVICE } from "./disclaimers.ts";
import { GOVERNING_LAW, SUMMARY } from "./governing-law.ts";
import { SUPPORT, type LegalSection } from "./section.ts";
import { THIRD_PARTIES, USER_RESPONSIBILITIES } from "./third-parties-and-users.ts";

export const TERMS_USED: readonly { term: string; meaning: string }[] = [
  {
    term: "Tradewind, we, us",
    meaning: `The operator of the installation of Tradewind that you use. Its registered name and postal address are given to anyone who asks at ${SUPPORT}.`,
  },
  {
    term: "You",
    meaning: "The natural person who uses the Services, and the organization on whose behalf that person acts.",
  },
  {
    term: "Services",
    meaning:
      "The Tradewind website, its application programming interface, its automation and the messages that it sends.",
  },
  {
    term: "Automation",
    meaning:
      "The part of the Services that screens stocks, decides by the strategy and limits that you have set, and sends orders without asking you again for each order.",
  },
  {
    term: "Broker",
    meaning: "The brokerage firm with which you hold an account of your own and whose keys you add to the Services.",
  },
  {
    term: "Practice Market",
    meaning:
      "A simulated exchange that is part of the Services. No money, security or broker is involved. It may replay past prices or generated prices, and its clock may run in the past and faster than real time.",
  },
  {
    term: "Simulated Results",
    meaning: "Every figure from the Practice Market, from a broker's paper trading environment, or from a backtest.",
  },
  { term: "Personal Data", meaning: "Information that relates to an identified or identifiable natural person." },
];

/** The sections that the specification names, in its order. Clauses are numbered by their place: a test holds every reference to one. */
export const LEGAL_SECTIONS: readonly LegalSection[] = [
  INVESTMENT,
  SERVICE,
  LIABILITY,
  DATA_AND_PRIVACY,
  THIRD_PARTIES,
  USER_RESPONSIBILITIES,
  AVAILABILITY,
  CHANGES,
  CONTACT,
  GOVERNING_LAW,
  SUMMARY,
];
