-- In which sign-in a browser shows notifications: it stops when that sign-in is ended. Null in rows of before, and when the row of the
-- sign-in is purged long after its end.
ALTER TABLE "PushSubscription" ADD COLUMN "signInId" UUID;
