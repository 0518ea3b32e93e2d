import { describe, expect, it } from "vitest";
import { CallError } from "@/lib/client/api.ts";
import { loginSentence, registerSentence } from "./sentences.ts";

const failure = (status: number, message: string) => new CallError(status, "code", message);

describe("the error catalogue", () => {
  it("of the login, to the letter", () => {
    expect(loginSentence(failure(401, "x")).text).toBe(
      "Invalid email or password. Please check your credentials and try again.",
    );
    expect(loginSentence(failure(400, "Enter a valid email address.")).text).toBe("Enter a valid email address.");
    expect(loginSentence(failure(400, "")).text).toBe("Invalid request. Please check your input.");
    expect(loginSentence(failure(503, "x")).text).toBe("Server error. Please try again later.");
    expect(loginSentence(failure(403, "Email verification required")).text).toBe(
      "Account found but email not verified. A new verification email has been sent to your email address. Please check your email and click the verification link to activate your account.",
    );
    expect(loginSentence(failure(429, "Too many attempts."))).toEqual({
      text: "Login failed",
      detail: "Too many attempts.",
    });
    expect(loginSentence(failure(0, "x")).text).toBe("Login failed");
  });

  it("of the registration: the server's word on the input, else the specified sentence", () => {
    expect(registerSentence(failure(409, "An account with this email already exists.")).text).toBe(
      "An account with this email already exists.",
    );
    expect(registerSentence(failure(500, "x")).text).toBe("Registration failed");
    expect(registerSentence(failure(400, "")).text).toBe("Registration failed");
  });
});
