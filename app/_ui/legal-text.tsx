import type { ReactNode } from "react";

const SECTIONS: readonly { title: string; text: readonly ReactNode[] }[] = [
  {
    title: "Investment Disclaimer",
    text: [
      "Trading carries substantial risk of loss. Tradewind is software. It is not an investment adviser, a broker or a dealer, and nothing in it is investment, legal or tax advice.",
      "Past performance, simulated performance and practice results do not guarantee future results. Simulated results have limits: they did not happen in a real market and may not reflect the effect of liquidity, costs and delay.",
      "You alone decide whether automated trading suits you, which limits you set and how much money you put at risk.",
    ],
  },
  {
    title: "Service Disclaimer",
    text: [
      'The service is provided "as is" and "as available", without warranties of any kind, express or implied. Software, market data, brokers and networks fail; orders may be delayed, refused or filled at other prices than expected.',
    ],
  },
  {
    title: "Limitation of Liability",
    text: [
      "To the extent the law allows, Tradewind is not liable for trading losses, lost profits, lost data or indirect damage that arises from using the service or from being unable to use it.",
    ],
  },
  {
    title: "Data Collection and Privacy",
    text: [
      "We keep what the service needs: your name and email address, a hash of your password, the brokerage keys you add (sealed), your settings, the orders, trades and positions of your accounts, and a record of actions for security.",
      "Your browser keeps a sign-in token, the page you wanted to open and your choice of light or dark. We do not sell personal data and show no advertising.",
      "You may ask for a copy of your data or for its deletion. Records that the law requires us to keep are kept for as long as it requires.",
    ],
  },
  {
    title: "Third-Party Services",
    text: [
      "Trading goes through the broker you connect, under that broker's own terms. Market data comes from third parties and may be late, incomplete or wrong. We do not control these services and do not answer for them.",
    ],
  },
  {
    title: "User Responsibilities",
    text: [
      "The services are not for anyone under 18. By using them you confirm that you are 18 or older and may lawfully trade where you live.",
      "Keep your password and brokerage keys secret, keep your contact details current, set limits you can bear, and watch your accounts. You answer for what happens under your sign-in.",
    ],
  },
  {
    title: "Service Availability",
    text: [
      "We aim for 99.9% uptime. This is a target and not a guarantee: maintenance, failures and events beyond our control may interrupt the service.",
    ],
  },
  {
    title: "Changes to Terms",
    text: [
      "We may change these terms. Changes that matter are announced before they take effect. Using the service afterwards means that you accept them.",
    ],
  },
  {
    title: "Contact Information",
    text: [
      <>
        Questions about these terms or about your data:{" "}
        <a href="mailto:support@tradewind.example" className="font-medium text-accent underline underline-offset-4">
          support@tradewind.example
        </a>
        .
      </>,
    ],
  },
  {
    title: "Governing Law",
    text: [
      "These terms are governed by the law of the United States and of the state in which Tradewind is established, apart from its rules on the conflict of laws.",
      "Disputes are settled by binding arbitration on an individual basis. You and Tradewind waive the right to a jury trial and to take part in a class action or class-wide arbitration, as far as the law allows this waiver.",
    ],
  },
  {
    title: "Summary",
    text: [
      "Trading is risky and you can lose money. The software helps, and promises nothing. Your keys are sealed, your data is yours, the service is for adults, and disputes go to arbitration.",
    ],
  },
];

/** One text for the privacy policy and the terms of service. */
export function LegalText() {
  return (
    <article className="mx-auto w-full max-w-3xl px-4 pt-6 sm:px-6 sm:pt-10">
      <h1 className="text-3xl font-semibold tracking-tight">Terms of Service and Privacy Policy</h1>
      <p className="mt-3 text-muted">Please read this before you use Tradewind. The services are not for under-18s.</p>
      <div className="mt-10 flex flex-col gap-8">
        {SECTIONS.map((section, index) => (
          <section key={section.title}>
            <h2 className="text-lg font-semibold tracking-tight">{`${index + 1}. ${section.title}`}</h2>
            {section.text.map((paragraph, position) => (
              <p key={position} className="mt-2 leading-relaxed">
                {paragraph}
              </p>
            ))}
          </section>
        ))}
      </div>
    </article>
  );
}
