import { SUPPORT, type LegalSection } from "./section.ts";

export const AVAILABILITY: LegalSection = {
  id: "service-availability",
  title: "Service Availability",
  clauses: [
    {
      lead: "Target.",
      text: "We aim for 99.9% uptime of the Services in each calendar month, counted from the operator's own measurements. This is a target and not a guarantee, and missing it gives no claim to a credit, a refund or damages.",
    },
    {
      lead: "What does not count.",
      text: "Announced maintenance, the Practice Market, and interruptions that third parties or events under clause 3.3 cause are left out of the count.",
    },
    {
      lead: "Maintenance.",
      text: "We try to carry out maintenance while the US stock market is closed and to announce it in advance. Urgent repairs may happen at any time and without notice.",
    },
    {
      lead: "During an interruption.",
      text: "While the Services are interrupted, no new orders are decided, and entry orders that are still open may be cancelled. Protective orders that already stand at your Broker are not affected by that. You must be able to reach your Broker directly, by its own website or by telephone, in order to manage your positions.",
    },
    {
      lead: "Stopping for safety.",
      text: "We may pause the Automation in whole or in part when data, a Broker or the Services themselves cannot be trusted. Such a pause is not an interruption in the sense of clause 7.1.",
    },
  ],
};

export const CHANGES: LegalSection = {
  id: "changes-to-terms",
  title: "Changes to Terms",
  clauses: [
    {
      lead: "Changes.",
      text: "We may change this document to reflect changes of the Services, of the law or of our practice. The version and the date on which it takes effect stand at its beginning.",
    },
    {
      lead: "Notice.",
      text: "A material change is announced on this page and by email to the address of your user account at least 30 days before it takes effect, unless the law or the security of the Services requires it to take effect sooner.",
    },
    {
      lead: "Acceptance.",
      text: "If you do not agree to a change, stop using the Services and remove your accounts before it takes effect. If you go on using the Services afterwards, you accept it. A change does not apply to disputes that arose before it.",
    },
    {
      lead: "Changes of the Services.",
      text: "We may add, change or withdraw features. If a change takes away an essential function for which you have paid, you may end this agreement and receive back the part of the price that covers the time not yet used.",
    },
  ],
};

export const CONTACT: LegalSection = {
  id: "contact-information",
  title: "Contact Information",
  clauses: [
    {
      lead: "Address.",
      text: `Questions about this document, requests about your Personal Data, notices of dispute under clause 10.2 and reports of security weaknesses go to ${SUPPORT}.`,
    },
    {
      lead: "The operator.",
      text: "The registered name, postal address and, where there is one, telephone number of the operator are given on request at that address.",
    },
    {
      lead: "Notices.",
      text: "We send notices to the email address of your user account, and they count as received when they are sent, unless we learn that they could not be delivered. Notices to us count as received when they reach the address in clause 9.1.",
    },
    {
      lead: "No trading by mail.",
      text: "We do not accept orders, changes of limits or cancellations by mail. Use the Services or your Broker.",
    },
  ],
};
