import { Failure } from "@/lib/domain/failures.ts";

/** Refused keys are a fault of the account, not of the server: the answer says so. */
export async function withBroker<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure && error.code === "broker_refused")
      throw new Failure("conflict", "The broker refuses the keys of this account.", { cause: error });
    throw error;
  }
}
