import { describe, expect, it } from "vitest";
import { CallError } from "@/lib/client/api.ts";
import {
  forgotSentence,
  loginSentence,
  registerSentence,
  resendSentence,
  resetProblem,
  resetSentence,
} from "./sentences.ts";

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

  it("of asking for a reset link, to the letter", () => {
    const texts = (status: number) => forgotSentence(failure(status, "The server's word."));
    expect(texts(404)).toEqual({ text: "No account found with this email address.", field: "email" });
    expect(texts(429)).toEqual({ text: "Too many reset requests. Please try again later." });
    expect(texts(500)).toEqual({ text: "Server error. Please try again later." });
    expect(texts(503)).toEqual({ text: "Server error. Please try again later." });
    for (const status of [0, 400, 405])
      expect(texts(status)).toEqual({ text: "Failed to send reset instructions.", detail: "The server's word." });
  });

  it("of setting a new password with a link, to the letter", () => {
    expect(resetSentence(failure(400, "This password is too common.")).text).toBe("This password is too common.");
    expect(resetSentence(failure(400, "")).text).toBe("Invalid or expired reset token.");
    expect(resetSentence(failure(404, "x")).text).toBe("Reset token not found or has expired.");
    expect(resetSentence(failure(503, "Too many people.")).text).toBe("Too many people.");
    expect(resetSentence(failure(429, "Too many requests.")).text).toBe("Too many requests.");
    expect(resetSentence(failure(500, "")).text).toBe(
      "Failed to reset password. The token may have expired. Please request a new password reset.",
    );
  });

  it("takes no text of ours for the server's word", () => {
    const unreachable = new CallError(0, "unreachable", "Tradewind could not be reached.");
    const unreadable = (status: number) => new CallError(status, "unreadable", "The answer could not be read.");
    expect(resetSentence(unreachable)).toEqual({
      text: "Failed to reset password. The token may have expired. Please request a new password reset.",
      detail: "Tradewind could not be reached.",
    });
    expect(resetSentence(unreadable(400)).text).toBe("Invalid or expired reset token.");
    expect(loginSentence(unreadable(400)).text).toBe("Invalid request. Please check your input.");
    expect(registerSentence(unreadable(400)).text).toBe("Registration failed");
  });

  it("what the server says of a field stands at that field, of an unknown one above the form", () => {
    const refused = (path: string) => new CallError(400, "invalid_input", "No.", [{ path, message: "No." }]);
    expect(registerSentence(refused("lastName"))).toEqual({
      text: "No.",
      fields: { lastName: "No." },
      field: "lastName",
    });
    expect(registerSentence(refused("role"))).toEqual({ text: "No." });
    expect(resetSentence(refused("newPassword"))).toEqual({
      text: "No.",
      fields: { newPassword: "No." },
      field: "newPassword",
    });
  });

  it("of another verification mail, to the letter", () => {
    expect(resendSentence(failure(429, "Too many requests."))).toEqual({
      text: "Failed to send verification email.",
      detail: "Too many requests.",
    });
  });
});

describe("the reset form, before it is sent", () => {
  const entered = { token: "t", password: "Windward-42", confirmation: "Windward-42" };
  it.each([
    [{}, null],
    [{ token: "" }, "Invalid reset token. Please request a new password reset."],
    [{ token: "  " }, "Invalid reset token. Please request a new password reset."],
    [{ confirmation: "Windward-43" }, "Passwords do not match."],
    [{ password: "Short-1", confirmation: "Short-1" }, "Password must be at least 8 characters long."],
    [{ password: "Short-12", confirmation: "Short-12" }, null],
  ])("with %j says %j", (change, problem) => {
    expect(resetProblem({ ...entered, ...change })?.text ?? null).toBe(problem);
  });
});
