import { Failure } from "@/lib/domain/failures.ts";

/**
 * A registration that is refused because the address has an account. It brings the hash that was made of the given password to where that is
 * not to be told, so that the answer there costs no second one. The field is private: no log prints it.
 */
export class AddressTaken extends Failure {
  readonly #passwordHash: string;

  constructor(passwordHash: string) {
    super("conflict", "An account with this email already exists.");
    this.#passwordHash = passwordHash;
  }

  passwordHash(): string {
    return this.#passwordHash;
  }
}
