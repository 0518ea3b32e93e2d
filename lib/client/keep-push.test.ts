import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keepPush } from "./keep-push.ts";
import { subscriptionOf, unsubscribeHere } from "./push.ts";
import { call } from "./api.ts";

vi.mock("./push.ts", () => ({ subscriptionOf: vi.fn(), unsubscribeHere: vi.fn() }));
vi.mock("./api.ts", () => ({ call: vi.fn() }));

const HERE = { endpoint: "https://push.example.com/1", keys: { p256dh: "key", auth: "auth" } };
const listed = (endpoint: string, isOfThisSignIn: boolean) => ({ subscriptions: [{ endpoint, isOfThisSignIn }] });
/** The calls that were made, and whether the browser was unsubscribed. */
const done = () => ({
  methods: vi.mocked(call).mock.calls.map(([endpoint]) => endpoint.method),
  isUnsubscribed: vi.mocked(unsubscribeHere).mock.calls.length > 0,
});

beforeEach(() => {
  vi.mocked(subscriptionOf).mockResolvedValue(HERE);
});
afterEach(() => {
  vi.resetAllMocks();
});

it("a browser without a subscription asks nothing", async () => {
  vi.mocked(subscriptionOf).mockResolvedValue(null);
  await keepPush();
  expect(done()).toEqual({ methods: [], isUnsubscribed: false });
});

it("a browser in which another person signed in shows the former one's notifications no more", async () => {
  vi.mocked(call).mockResolvedValue(listed("https://push.example.com/2", false));
  await keepPush();
  expect(done()).toEqual({ methods: ["GET"], isUnsubscribed: true });
});

it("one's own go on, with this sign-in, and are told so once", async () => {
  vi.mocked(call).mockResolvedValue(listed(HERE.endpoint, false));
  await keepPush();
  expect(done()).toEqual({ methods: ["GET", "POST"], isUnsubscribed: false });
  vi.mocked(call).mockClear().mockResolvedValue(listed(HERE.endpoint, true));
  await keepPush();
  expect(done()).toEqual({ methods: ["GET"], isUnsubscribed: false });
});
