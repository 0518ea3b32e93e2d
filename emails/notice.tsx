import { Button, Text } from "react-email";
import { Frame, styles } from "./frame.tsx";
import { toMail, type Mail } from "./to-mail.ts";

export interface NoticeProps {
  firstName: string;
  subject: string;
  paragraphs: string[];
  link: { label: string; href: string } | null;
  supportEmail: string;
}

export function noticeMail(props: NoticeProps): Promise<Mail> {
  return toMail(props.subject, <Notice {...props} />);
}

function Notice({ firstName, subject, paragraphs, link, supportEmail }: NoticeProps) {
  return (
    <Frame preview={subject} supportEmail={supportEmail}>
      <Text style={styles.text}>Hello {firstName},</Text>
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
