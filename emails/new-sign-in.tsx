import { Button, Text } from "react-email";
import { easternText } from "@/lib/domain/format.ts";
import { Frame, styles } from "./frame.tsx";
import { Line, Rows } from "./rows.tsx";
import { toMail, type Mail } from "./to-mail.ts";

export interface NewSignInProps {
  firstName: string;
  /** "Chrome on Windows"; null where the browser said nothing. */
  device: string | null;
  ipAddress: string | null;
  /** ISO. */
  signedInAt: string;
  /** Where the password is changed. */
  link: string;
  supportEmail: string;
}

export function newSignInMail(props: NewSignInProps): Promise<Mail> {
  return toMail("New sign-in to your account", <NewSignIn {...props} />);
}

function NewSignIn({ firstName, device, ipAddress, signedInAt, link, supportEmail }: NewSignInProps) {
  return (
    <Frame preview="Your account was signed in to from a new device or network." supportEmail={supportEmail}>
      <Text style={styles.text}>Hello {firstName},</Text>
      <Text style={styles.text}>
        Someone signed in to your Tradewind account from a device or network that was not used for it before.
      </Text>
      <Rows>
        <Line left="When" right={easternText(signedInAt)} />
        <Line left="Device" right={device ?? "not known"} />
        <Line left="Address" right={ipAddress ?? "not known"} />
      </Rows>
      <Text style={{ ...styles.text, marginTop: "16px" }}>
        If it was you, there is nothing to do. If it was not, change your password now: that ends every other sign-in.
      </Text>
      <Button href={link} style={styles.button}>
        Change my password
      </Button>
      <Text style={{ ...styles.text, marginTop: "16px" }}>
        If you can no longer sign in, choose “Forgot your password?” and write to {supportEmail}.
      </Text>
    </Frame>
  );
}
