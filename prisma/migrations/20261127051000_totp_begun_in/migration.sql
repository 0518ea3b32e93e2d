-- The sign-in that began the set-up of an authenticator app, the only one that is given its secret again.
ALTER TABLE "TotpFactor" ADD COLUMN "signInId" UUID;
