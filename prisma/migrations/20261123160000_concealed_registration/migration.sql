-- The password that was given with a registration of an address that has an account, while nobody is told so.
CREATE TABLE "ConcealedRegistration" (
    "userId" UUID NOT NULL,
    "passwordHash" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ConcealedRegistration_pkey" PRIMARY KEY ("userId")
);

ALTER TABLE "ConcealedRegistration" ADD CONSTRAINT "ConcealedRegistration_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
