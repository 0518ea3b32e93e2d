import { Button, Text } from "react-email";
import { Frame, styles } from "./frame.tsx";
import { toMail, type Mail } from "./to-mail.ts";

export interface VerifyEmailProps {
  link: string;
  supportEmail: string;
}

export function verifyEmailMail(props: VerifyEmailProps): Promise<Mail> {
  return toMail("Verify your email address", <VerifyEmail {...props} />);
}

function VerifyEmail({ link, supportEmail }: VerifyEmailProps) {
  return (
    <Frame preview="Verify your email address to activate your account." supportEmail={supportEmail}>
      <Text style={styles.text}>Hello,</Text>
      <Text style={styles.text}>Please verify your email address to activate your Tradewind account.</Text>
      <Button href={link} style={styles.button}>
        Verify email address
      </Button>
      <Text style={{ ...styles.text, marginTop: "16px" }}>
        The link works once, within 24 hours of the request. If you did not register, ignore this email: no account is
        activated.
      </Text>
      <Text className="muted" style={{ ...styles.small, wordBreak: "break-all" }}>
        {link}
      </Text>
    </Frame>
  );
}
