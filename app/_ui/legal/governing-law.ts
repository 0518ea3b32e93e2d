import type { LegalSection } from "./section.ts";

export const GOVERNING_LAW: LegalSection = {
  id: "governing-law",
  title: "Governing Law",
  clauses: [
    {
      lead: "Law.",
      text: "This document is governed by the laws of the United States and of the state in which Tradewind is established, without regard to rules on the conflict of laws. If you are a consumer, you keep the protection of mandatory provisions of the law where you live.",
    },
    {
      lead: "Talk first.",
      text: "Before starting an arbitration or a lawsuit, the party with the complaint sends the other a written notice that names the party, describes the dispute and states what is asked for. Both parties try in good faith to resolve it for 60 days from its receipt. Periods of limitation stand still for that time.",
    },
    {
      lead: "Binding arbitration.",
      text: "Any dispute arising from or related to this document or the Services that is not so resolved is finally resolved by binding arbitration before a single neutral arbitrator, and not in court. The Federal Arbitration Act governs this agreement to arbitrate. The parties choose the arbitrator by agreement; failing that, a court of competent jurisdiction appoints one under that Act. The arbitrator applies this document as a court would and may award the same individual remedies.",
    },
    {
      lead: "Conduct and cost.",
      text: "The hearing is held by video, or in the county where you live if you prefer. Each party bears its own costs, except that we pay the arbitrator's fees in so far as they exceed what filing a lawsuit would have cost you, unless the arbitrator finds your claim frivolous. Judgment on the award may be entered in any court of competent jurisdiction.",
    },
    {
      lead: "CLASS ACTION WAIVER.",
      text: "YOU AND TRADEWIND MAY BRING CLAIMS AGAINST EACH OTHER ONLY IN AN INDIVIDUAL CAPACITY, AND NOT AS A PLAINTIFF OR CLASS MEMBER IN A CLASS, COLLECTIVE, CONSOLIDATED OR REPRESENTATIVE PROCEEDING. THE ARBITRATOR MAY NOT COMBINE THE CLAIMS OF MORE THAN ONE PERSON WITHOUT THE CONSENT OF ALL PARTIES.",
    },
    {
      lead: "JURY WAIVER.",
      text: "TO THE EXTENT PERMITTED BY LAW, YOU AND TRADEWIND WAIVE THE RIGHT TO A TRIAL BY JURY, IN ARBITRATION AND IN COURT.",
    },
    {
      lead: "Exceptions.",
      text: "Either party may:",
      items: [
        "bring an individual claim in a small claims court that has jurisdiction;",
        "ask a court for an injunction against unauthorized access to the Services or against infringement of intellectual property; and",
        "turn to a regulator or another public authority at any time.",
      ],
    },
    {
      lead: "Opting out.",
      text: "You may reject clauses 10.3 to 10.6 by writing to the address in clause 9.1 within 30 days after you first accept this document. Your use of the Services is not affected by that.",
    },
    {
      lead: "Severability.",
      text: "If clause 10.5 cannot be enforced as to a claim, that claim is heard in court and not in arbitration. If another provision of this document cannot be enforced, it is applied as far as it can be, and the rest stays in force.",
    },
    {
      lead: "Courts.",
      text: "Disputes that are not arbitrated belong to the state and federal courts of the state in which Tradewind is established, unless mandatory law names other courts.",
    },
    {
      lead: "Entire agreement.",
      text: "This document is the entire agreement between you and us about the Services. That we do not enforce a provision does not waive it. You may not assign this agreement without our consent; we may assign it to a successor of the Services, who is then bound by it.",
    },
  ],
};

export const SUMMARY: LegalSection = {
  id: "summary",
  title: "Summary",
  clauses: [
    {
      text: "This summary helps you to read the document. It does not replace Sections 1 to 10, which prevail over it.",
    },
    {
      text: "In plain words:",
      items: [
        "Trading is risky. You can lose money, and no software changes that.",
        "Tradewind follows your settings and gives no advice. You decide, and you can stop at any time.",
        "Practice results are not real results, and past results promise nothing.",
        "Your brokerage keys are sealed, your password is hashed, and your data is never sold.",
        "Your Broker, market data and mail come from others, under their own terms.",
        "You must be 18 or older. Keep your secrets secret, and watch your accounts.",
        "We aim for 99.9% uptime and do not guarantee it.",
        "Our liability is limited. Disputes go to individual arbitration, not to class actions or juries, unless you opt out within 30 days.",
      ],
    },
  ],
};
