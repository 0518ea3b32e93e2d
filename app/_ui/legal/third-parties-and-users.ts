import type { LegalSection } from "./section.ts";

export const THIRD_PARTIES: LegalSection = {
  id: "third-party-services",
  title: "Third-Party Services",
  clauses: [
    {
      lead: "Your Broker.",
      text: "Trading through your own account takes place at your Broker, under your agreement with it. We are not affiliated with it and are not a party to that agreement. The Services act there with the keys that you added, and your Broker sees your orders as your own. Alpaca is the Broker that the Services support today.",
    },
    {
      lead: "Recipients by category.",
      text: "We use others to provide the Services, each for its task only:",
      items: [
        "Brokers, which receive your orders and the requests made with your keys;",
        "market-data, calendar and news providers, which receive the symbols that are asked about and nothing about you;",
        "hosting and database providers, which store what the Services store;",
        "mail delivery providers, which receive your address and the messages to you;",
        "where you turn on notifications in a browser, the push service of its maker, which passes them on encrypted for your browser;",
        "where you name one, the address of your webhook, which receives the same notifications; and",
        "where the operator has connected one, a provider of a language model, which receives recorded facts about a decision, such as symbols, prices and reasons, in order to put them into words, and never your name, email address, password or keys.",
      ],
    },
    {
      lead: "Market data.",
      text: "Prices, news, earnings dates and similar data come from third parties under their licenses. They may be delayed, incomplete or wrong. You may use them for your own trading and may not redistribute them.",
    },
    {
      lead: "No responsibility.",
      text: "We do not control third parties and, to the extent permitted by law, are not responsible for their acts, omissions, prices, rules, outages or security. A change at a third party may change the Services or end a part of them.",
    },
    {
      lead: "Links.",
      text: "Links to other sites are provided for convenience. Their content is theirs, and their own terms and privacy policies apply there.",
    },
  ],
};

export const USER_RESPONSIBILITIES: LegalSection = {
  id: "user-responsibilities",
  title: "User Responsibilities",
  clauses: [
    {
      lead: "Age and capacity.",
      text: "The Services are not for anyone under 18. By using them you represent that you are 18 or older, that you can enter into a binding agreement, and that neither the law where you live nor a sanctions list forbids you to use them.",
    },
    {
      lead: "Your user account.",
      text: "You agree to:",
      items: [
        "give your own, accurate name and an email address that you control, and keep them current;",
        "keep your password, sign-ins and brokerage keys secret, and tell us at once if one of them may be known to others;",
        "answer for what is done under your sign-in until you have told us; and",
        "connect only accounts that are yours or that you are authorized in writing to trade.",
      ],
    },
    {
      lead: "Your trading.",
      text: "You agree to:",
      items: [
        "set a strategy and limits that you understand and can bear;",
        "watch your accounts, and read the warnings and messages of the Services;",
        "know and follow your Broker's rules, including those on margin, day trading and short positions; and",
        "report and pay your own taxes. Figures of the Services are not tax statements.",
      ],
    },
    {
      lead: "When you stop.",
      text: "You may pause the Automation at any time; a pause stops new entries, while exits and protective stops keep working. When you remove an account from the Services, we cancel the open entry orders that we placed, leave protective stop orders at your Broker, and only read the account until the shares that the Automation bought in it are sold, for 90 days at most. What becomes of those orders and positions is then yours to watch at your Broker.",
    },
    {
      lead: "Acceptable use.",
      text: "You may not:",
      items: [
        "break the law with the Services, including the law on market manipulation and insider dealing;",
        "gain or attempt to gain access to data, accounts or systems that are not yours;",
        "probe, overload or disrupt the Services, get around their limits, or reach them by automated means other than the documented interface and your own sign-in; or",
        "resell the Services, or remove notices of rights from them.",
      ],
    },
    {
      lead: "Reporting weaknesses.",
      text: "Clause 6.5 does not forbid good-faith research of the security of your own user account that harms nobody and is reported to us before it is told to others.",
    },
    {
      lead: "Rights.",
      text: "The Services, their design and their marks belong to us or to our licensors. We grant you a personal, revocable, non-transferable right to use them under this document. Your data remains yours; you permit us to process it in order to provide the Services.",
    },
    {
      lead: "Ending.",
      text: "You may stop using the Services at any time. We may suspend or end your access, or stop the Automation for one account or for all, where this document is breached, where the law requires it, or where it is needed to protect you, others or the Services. Sections 1 to 4 and 10 remain in force afterwards.",
    },
    {
      lead: "Indemnity.",
      text: "To the extent permitted by law, you indemnify us against claims of third parties that arise from your breach of this document or from your trading.",
    },
  ],
};
