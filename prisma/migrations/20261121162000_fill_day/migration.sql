-- What was executed on a day, without reading an account's whole past.
CREATE INDEX "Fill_accountId_at_idx" ON "Fill"("accountId", "at");
