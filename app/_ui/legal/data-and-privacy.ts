import { SUPPORT, type LegalSection } from "./section.ts";

export const DATA_AND_PRIVACY: LegalSection = {
  id: "data-collection-and-privacy",
  title: "Data Collection and Privacy",
  clauses: [
    {
      lead: "What we collect.",
      text: "We collect what the Services need in order to work:",
      items: [
        "your first name, last name and email address, whether the address is verified, and a display name and bio where you save them;",
        "your password, only as a salted Argon2id hash from which it cannot be read back;",
        "your passkeys, by their public keys and names; the secret that you share with an authenticator app, encrypted; and recovery codes and access tokens, only as hashes;",
        "the brokerage keys that you add, or the access that you grant at your Broker in their place, sealed as clause 4.3 describes, and the first eight characters of each key so that you can recognize it;",
        "your trading and notification preferences;",
        "where you turn them on, the address at which the push service of your browser takes notifications for you, and the address of your webhook, which is encrypted;",
        "the orders, fills, positions, balances, cash movements and equity of the accounts that you connect, and the decisions of the Automation about them with their reasons;",
        "for each sign-in, its time, network address and browser description;",
        "an audit trail of actions that change something, with the network address they came from;",
        "the messages sent to you and whether they were delivered; and",
        "what you write to our support.",
      ],
    },
    {
      lead: "What we do not do.",
      text: "We do not sell Personal Data. We do not share it for advertising, show advertisements, use tracking or analytics cookies, or build profiles for others. We do not ask for the password of your Broker, and we cannot withdraw money from it.",
    },
    {
      lead: "Brokerage keys.",
      text: "Each key pair is encrypted with a key of its own by AES-256-GCM, bound to your user and account, before it is stored. It is opened only to check it when you add it and to carry out the Automation and your own instructions. No page, export, log or answer of the Services shows it again, to you or to anyone. When you remove an account, its keys are erased. While shares that the Automation bought are left in it, they stay encrypted and are used for reading alone, until those shares are sold and for 90 days at most, so that your records are complete. Access that you grant at your Broker in place of keys is kept in the same way.",
    },
    {
      lead: "What your browser keeps.",
      text: "The Services store only what is strictly necessary, and nothing that follows you elsewhere:",
      items: [
        "in local storage: your sign-in token, the page that you wanted to open, and choices such as light or dark and that you have put away the first steps;",
        "in session storage, until the tab is closed: which environment you look at, and what the sign-in page has to tell you;",
        "a session cookie, which scripts cannot read and which is sent to us alone, by which pages know that you are signed in;",
        "after a sign-in or a link from your mailbox, a cookie that marks the device as known for 90 days, so that wrong passwords tried by others do not lock you out; scripts cannot read it, and it is sent to us alone;",
        "where the sign-in requires it, cookies that guard it against forged requests and hold the page to return to; and",
        "where you turn on notifications in the browser, a service worker that shows them and reads nothing else.",
      ],
    },
    {
      lead: "Duration of a sign-in.",
      text: "A sign-in ends after twelve hours, when you log out, and when your password is changed or reset. Log out on a device that others use: whoever can read its local storage while you are signed in can act as you.",
    },
    {
      lead: "Why we use it.",
      text: "We use Personal Data to perform this agreement with you (to sign you in, to operate the Automation, to show your accounts and to send the messages that you asked for), to meet our legal obligations, and for our legitimate interest in keeping the Services secure, limiting abuse and correcting errors.",
    },
    {
      lead: "Messages.",
      text: "We send messages about your account and its security, such as the verification of your address or a changed password; these cannot be switched off. Order, trade, summary and alert messages follow your notification preferences, which you may change at any time.",
    },
    {
      lead: "Who receives it.",
      text: "Personal Data is available to those of our staff who need it, to the recipients in Section 5, and to authorities where the law compels us. Administrators see names, email addresses, accounts and trades; they do not see passwords or brokerage keys.",
    },
    {
      lead: "How long we keep it.",
      text: "We keep Personal Data while you have a user account. After that:",
      items: [
        "sign-ins are ended at once, and brokerage keys are erased;",
        "orders, fills, round trips and the decisions behind them are kept after an account is removed, because they are financial records that taxes, disputes and supervision may call for;",
        "the audit trail is never edited. What is personal in it is sealed under a key of yours; erasing that key makes it unreadable and leaves the trail intact; and",
        "backups are overwritten in the ordinary course of operation.",
      ],
    },
    {
      lead: "Your rights.",
      text: `Wherever you live, you may ask for access to your Personal Data, for a copy in a common format, for correction, for deletion and for restriction, and you may object to a use. Depending on where you live you may have further rights, including to complain to a supervisory authority. Write to ${SUPPORT} from the address of your user account. We answer within 30 days and do not treat you differently for asking. Where the law requires us to keep a record, we keep that record and tell you so.`,
    },
    {
      lead: "Security.",
      text: "Besides clauses 4.1 and 4.3, we restrict access by role on the server, limit the rate of attempts, record changes in an audit trail that shows tampering, and encrypt connections wherever the installation is served by HTTPS. No system is perfectly secure. If a breach is likely to put you at risk, we tell you and the authorities as the law requires.",
    },
    {
      lead: "Children.",
      text: "The Services are not directed to anyone under 18, and we do not knowingly collect Personal Data from them. If you believe that we hold such data, tell us, and we delete it.",
    },
    {
      lead: "Place of processing.",
      text: "Personal Data is processed where the installation and the recipients in Section 5 are located, which may be a country other than yours. Where the law requires safeguards for such a transfer, we provide them.",
    },
  ],
};
