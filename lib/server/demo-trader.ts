/** Whom the set-up makes where DEMO is on, and whose practice account visitors may look at. */
export const DEMO_TRADER_EMAIL = "trader@tradewind.example";
