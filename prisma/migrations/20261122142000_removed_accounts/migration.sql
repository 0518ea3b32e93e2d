-- A removed account keeps its sealed keys, for reading alone, while shares with resting stops are left in it: their fills are booked.
ALTER TABLE "Account" DROP CONSTRAINT "Account_erased_keys_when_deleted";
ALTER TABLE "Account" ADD CONSTRAINT "Account_inactive_when_deleted" CHECK ("deletedAt" IS NULL OR "status" = 'INACTIVE');
