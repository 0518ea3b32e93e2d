import type { CSSProperties, ReactNode } from "react";
import { Body, Container, Head, Heading, Hr, Html, Link, Preview, Text } from "react-email";
import type { Environment } from "@/lib/domain/enums.ts";

const font = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif';

/** No fixed backgrounds behind text, and colours that carry on white and on black: readable in a dark mail program. */
export const styles = {
  text: { fontSize: "16px", lineHeight: "26px", margin: "0 0 16px", overflowWrap: "anywhere" },
  heading: { fontSize: "18px", lineHeight: "26px", margin: "24px 0 8px" },
  button: {
    backgroundColor: "#0369a1",
    borderRadius: "6px",
    color: "#ffffff",
    display: "inline-block",
    fontSize: "16px",
    fontWeight: 600,
    padding: "12px 20px",
    textDecoration: "none",
  },
  small: { fontSize: "13px", lineHeight: "20px", margin: "0 0 8px", overflowWrap: "anywhere" },
} as const satisfies Record<string, CSSProperties>;

/** What a mail program with a dark page changes; one that knows no such rule shows the inline styles. */
const DARK = `
.muted { color: #5f6773; } .gain { color: #15803d; } .loss { color: #c02626; } .link { color: #0369a1; }
@media (prefers-color-scheme: dark) {
  .muted { color: #a3abb8 !important; } .gain { color: #4ade80 !important; } .loss { color: #f98a8a !important; }
  .link { color: #38bdf8 !important; }
}`;

/** Why the recipient gets a mail that can be switched off, and where to switch it off. */
export interface Reason {
  /** "You get this email because …" */
  why: string;
  switches: { label: string; href: string }[];
  settings: string;
}

interface FrameProps {
  /** The line beside the subject in a list of mails. */
  preview: string;
  supportEmail: string;
  /** Null for mails that always go. */
  reason?: Reason | null;
  children: ReactNode;
}

export function Frame({ preview, supportEmail, reason = null, children }: FrameProps) {
  return (
    <Html lang="en">
      <Head>
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{DARK}</style>
      </Head>
      <Preview>{preview}</Preview>
      <Body style={{ fontFamily: font, margin: 0, padding: "24px 12px" }}>
        <Container style={{ maxWidth: "560px" }}>
          <Heading as="h1" style={{ fontSize: "20px", lineHeight: "28px", margin: "0 0 24px" }}>
            Tradewind
          </Heading>
          {children}
          <Hr style={{ border: "none", borderTop: "1px solid #8b93a155", margin: "32px 0 16px" }} />
          {reason && (
            <Text className="muted" style={styles.small}>
              {reason.why}{" "}
              {reason.switches.map(({ label, href }) => (
                <span key={href}>
                  <TextLink href={href}>{label}</TextLink>
                  {" · "}
                </span>
              ))}
              <TextLink href={reason.settings}>All notification settings</TextLink>
            </Text>
          )}
          <Text className="muted" style={styles.small}>
            Questions? Write to <TextLink href={`mailto:${supportEmail}`}>{supportEmail}</TextLink>. © 2025 Tradewind
          </Text>
        </Container>
      </Body>
    </Html>
  );
}

export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="link" style={{ color: "#0369a1", textDecoration: "underline" }}>
      {children}
    </Link>
  );
}

/** PRACTICE, PAPER or LIVE beside whatever shows figures: they are never mixed. */
export function EnvironmentTag({ environment }: { environment: Environment }) {
  const isLive = environment === "LIVE";
  return (
    <span
      style={{
        border: `1px solid ${isLive ? "#b45309" : "#8b93a1"}`,
        borderRadius: "4px",
        fontSize: "12px",
        fontWeight: 700,
        letterSpacing: "0.04em",
        padding: "2px 6px",
        whiteSpace: "nowrap",
        ...(isLive ? { backgroundColor: "#b45309", color: "#ffffff" } : {}),
      }}
    >
      {environment}
    </span>
  );
}
