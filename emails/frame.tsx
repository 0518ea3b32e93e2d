import type { ReactNode } from "react";
import { Body, Container, Head, Heading, Hr, Html, Link, Preview, Text } from "react-email";

const font = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif';

/** Mid-tones and no fixed backgrounds behind text: readable where a mail program turns the page dark. */
export const styles = {
  text: { fontSize: "16px", lineHeight: "26px", margin: "0 0 16px" },
  button: {
    backgroundColor: "#0f766e",
    borderRadius: "6px",
    color: "#ffffff",
    display: "inline-block",
    fontSize: "16px",
    fontWeight: 600,
    padding: "12px 20px",
    textDecoration: "none",
  },
  small: { fontSize: "13px", lineHeight: "20px", color: "#6b7280", margin: "0 0 8px", wordBreak: "break-all" as const },
} as const;

export function Frame({
  preview,
  supportEmail,
  children,
}: {
  preview: string;
  supportEmail: string;
  children: ReactNode;
}) {
  return (
    <Html lang="en">
      <Head>
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
      </Head>
      <Preview>{preview}</Preview>
      <Body style={{ fontFamily: font, margin: 0, padding: "24px 12px" }}>
        <Container style={{ maxWidth: "560px" }}>
          <Heading as="h1" style={{ fontSize: "20px", margin: "0 0 24px" }}>
            Tradewind
          </Heading>
          {children}
          <Hr style={{ borderColor: "#9ca3af", margin: "24px 0 16px" }} />
          <Text style={styles.small}>
            Questions? Write to <Link href={`mailto:${supportEmail}`}>{supportEmail}</Link>. © 2025 Tradewind
          </Text>
        </Container>
      </Body>
    </Html>
  );
}
