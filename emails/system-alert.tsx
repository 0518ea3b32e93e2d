import { Button, Heading, Text } from "react-email";
import type { Environment } from "@/lib/domain/enums.ts";
import { EnvironmentTag, Frame, styles, type Reason } from "./frame.tsx";
import { toMail, type Mail } from "./to-mail.ts";

export interface SystemAlertProps {
  firstName: string;
  subject: string;
  paragraphs: string[];
  /** The account that it is about; null where it is about none, or several. */
  account: { title: string; environment: Environment } | null;
  link: { label: string; href: string } | null;
  supportEmail: string;
  reason: Reason | null;
}

export function systemAlertMail(props: SystemAlertProps): Promise<Mail> {
  return toMail(props.subject, <SystemAlert {...props} />);
}

function SystemAlert({ firstName, subject, paragraphs, account, link, supportEmail, reason }: SystemAlertProps) {
  return (
    <Frame preview={paragraphs[0] ?? subject} supportEmail={supportEmail} reason={reason}>
      <Text style={styles.text}>Hello {firstName},</Text>
      <Heading as="h2" style={{ ...styles.heading, marginTop: 0 }}>
        {subject}
      </Heading>
      {account && (
        <Text style={styles.text}>
          <EnvironmentTag environment={account.environment} /> {account.title}
        </Text>
      )}
      {paragraphs.map((paragraph, index) => (
        <Text key={index} style={styles.text}>
          {paragraph}
        </Text>
      ))}
      {link && (
        <Button href={link.href} style={styles.button}>
          {link.label}
        </Button>
      )}
    </Frame>
  );
}
