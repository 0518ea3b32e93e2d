import { Button, Text } from "react-email";
import { easternText } from "@/lib/domain/format.ts";
import { Frame, styles } from "./frame.tsx";
import { Line, Rows } from "./rows.tsx";
import { toMail, type Mail } from "./to-mail.ts";

export interface WrongPasswordProps {
  firstName: string;
  /** "Chrome on Windows"; null where the browser said nothing. */
  device: string | null;
  ipAddress: string | null;
  /** ISO. */
  failedAt: string;
  /** Where the password is changed. */
  link: string;
  supportEmail: string;
}

export function wrongPasswordMail(props: WrongPasswordProps): Promise<Mail> {
  return toMail("A wrong password was entered for your account", <WrongPassword {...props} />);
}

function WrongPassword({ firstName, device, ipAddress, failedAt, link, supportEmail }: WrongPasswordProps) {
  return (
    <Frame
      preview="A check of your password failed. The attempt did not get into your account."
      supportEmail={supportEmail}
    >
      <Text style={styles.text}>Hello {firstName},</Text>
      <Text style={styles.text}>
        A wrong password was entered for your Tradewind account. The attempt did not get into your account. You get this
        email at most once an hour, however many wrong passwords are entered.
      </Text>
      <Rows>
        <Line left="When" right={easternText(failedAt)} />
        <Line left="Device" right={device ?? "not known"} />
        <Line left="Address" right={ipAddress ?? "not known"} />
      </Rows>
      <Text style={{ ...styles.text, marginTop: "16px" }}>
        If it was you, there is nothing to do. If it was not, make sure that you use your password nowhere else.
      </Text>
      <Button href={link} style={styles.button}>
        Change my password
      </Button>
    </Frame>
  );
}
