// One seed for every property test, so that the same code passes or fails the same way. `npm run prove` draws fresh ones.
import fc from "fast-check";

const FIXED_SEED = 20_261_123;

fc.configureGlobal({ seed: Number(process.env.TEST_SEED || FIXED_SEED) });
