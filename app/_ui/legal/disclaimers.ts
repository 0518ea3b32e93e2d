import type { LegalSection } from "./section.ts";

export const INVESTMENT: LegalSection = {
  id: "investment-disclaimer",
  title: "Investment Disclaimer",
  clauses: [
    {
      lead: "Risk of loss.",
      text: "Trading securities carries substantial risk of loss and is not suitable for everyone. You may lose some or all of the money that you invest and, where you trade on margin, more than that. Do not trade with money that you cannot afford to lose.",
    },
    {
      lead: "No advice.",
      text: "Tradewind is software. We are not a broker, a dealer, an investment adviser, a commodity trading advisor or a tax adviser, and we do not act as a fiduciary. Nothing in the Services is a recommendation, solicitation or offer to buy or sell a security, or investment, legal, accounting or tax advice. The strategies, scores, selections and explanations of the Services are not made for your personal circumstances.",
    },
    {
      lead: "Your decision.",
      text: "You alone decide whether to use the Automation, which strategy and limits it follows, and how much money it may use. By switching the Automation on for an account you instruct us to send orders to that account's Broker on your behalf, within those limits, until you switch it off. You remain responsible for every order so sent.",
    },
    {
      lead: "Past performance.",
      text: "Past performance does not guarantee future results. Prices, volatility, correlation and liquidity change, and a strategy that worked may stop working without notice.",
    },
    {
      lead: "Simulated Results.",
      text: "Simulated Results are hypothetical. They do not represent actual trading, and no representation is made that any account will or is likely to achieve similar results. In particular:",
      items: [
        "simulated orders move no price, wait in no queue and compete with nobody;",
        "simulated fills, fees and delays are estimates and may be better than those of a real market;",
        "a backtest is made with the benefit of hindsight, whoever makes it; and",
        "the Practice Market may show days that are years past, or prices that never were.",
      ],
    },
    {
      lead: "Stops and limits.",
      text: "Stop orders, position limits, loss limits and similar controls reduce risk and do not remove it. A stop order may be filled at a price far from its trigger, above all when a market opens, is halted or moves quickly, and may not be filled at all.",
    },
    {
      lead: "Artificial intelligence.",
      text: "Insights described as AI-assisted put recorded facts into words. They do not decide, and they place no orders. They may be incomplete or wrong; the record that each of them cites prevails over its wording.",
    },
  ],
};

export const SERVICE: LegalSection = {
  id: "service-disclaimer",
  title: "Service Disclaimer",
  clauses: [
    {
      lead: "AS IS.",
      text: 'TO THE FULLEST EXTENT PERMITTED BY LAW, THE SERVICES ARE PROVIDED "AS IS" AND "AS AVAILABLE", WITHOUT WARRANTIES OF ANY KIND, WHETHER EXPRESS, IMPLIED OR STATUTORY, INCLUDING WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE, TITLE, NON-INFRINGEMENT AND ACCURACY.',
    },
    {
      lead: "No particular outcome.",
      text: "We do not warrant that:",
      items: [
        "the Services will make a profit or avoid a loss;",
        "the Services will be uninterrupted, timely or free of error, or that every error will be corrected;",
        "an order will be sent, accepted or filled, in whole or in part, at a given price or time; or",
        "prices, news, earnings dates, positions or figures shown are complete, current or correct.",
      ],
    },
    {
      lead: "The Broker's record.",
      text: "Your Broker's statements are the record of your money and your securities. The Services compare their own books with the Broker's and stop sending orders to an account when the two do not agree. Where they differ, the Broker's record prevails.",
    },
    {
      lead: "Deliberate refusals.",
      text: "The Services check each order against your limits and their own safeguards, and refuse an order that fails a check. An order that was refused, delayed or not sent for that reason is not a failure of the Services, whatever the market did afterwards.",
    },
    {
      lead: "Unknown outcomes.",
      text: "When the answer to an order is lost, the Services ask the Broker what became of it rather than send it again, and may hold the account until a person has looked at it. You accept that missed trades may result.",
    },
  ],
};

export const LIABILITY: LegalSection = {
  id: "limitation-of-liability",
  title: "Limitation of Liability",
  clauses: [
    {
      lead: "EXCLUDED LOSSES.",
      text: "TO THE FULLEST EXTENT PERMITTED BY LAW, WE ARE NOT LIABLE FOR TRADING LOSSES, LOST PROFITS, MISSED OPPORTUNITIES, LOST DATA, LOST GOODWILL, OR INDIRECT, INCIDENTAL, SPECIAL, CONSEQUENTIAL, EXEMPLARY OR PUNITIVE DAMAGES ARISING FROM OR RELATED TO THE SERVICES OR THE INABILITY TO USE THEM, WHETHER IN CONTRACT, TORT (INCLUDING NEGLIGENCE), STRICT LIABILITY OR OTHERWISE, EVEN IF WE WERE TOLD THAT THEY WERE POSSIBLE.",
    },
    {
      lead: "CAP.",
      text: "TO THE FULLEST EXTENT PERMITTED BY LAW, OUR TOTAL LIABILITY FOR ALL CLAIMS ARISING FROM OR RELATED TO THE SERVICES IS LIMITED TO THE GREATER OF THE AMOUNT THAT YOU PAID US FOR THE SERVICES IN THE TWELVE MONTHS BEFORE THE EVENT THAT GAVE RISE TO THE LIABILITY AND ONE HUNDRED US DOLLARS.",
    },
    {
      lead: "Events beyond our control.",
      text: "We are not liable for failure or delay caused by events beyond our reasonable control, including:",
      items: [
        "failures of a Broker, an exchange, a data provider, a network, a power supply or a hosting provider;",
        "trading halts, extreme markets, and acts of governments or of regulators;",
        "attacks on computer systems that occur despite reasonable safeguards; and",
        "natural disasters, epidemics, war, terrorism and labor disputes.",
      ],
    },
    {
      lead: "What is not limited.",
      text: "Nothing in this document limits liability that cannot be limited by law, such as liability for fraud, for willful misconduct or, where the law so provides, for gross negligence, personal injury or death. Some jurisdictions do not allow certain exclusions; there, our liability is limited to the smallest extent that the law permits.",
    },
    {
      lead: "Basis of the agreement.",
      text: "The Services are offered at their price in reliance on Sections 1 to 3, which apply even if a remedy fails of its essential purpose and survive the end of this agreement.",
    },
  ],
};
