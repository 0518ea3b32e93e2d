-- Who closes an account: what an administrator closes its owner cannot keep, what the owner closes they can. Null in rows of before.
ALTER TABLE "Account" ADD COLUMN "closingSource" "KillSource";
