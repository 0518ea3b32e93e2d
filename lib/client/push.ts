import { CallError } from "./api.ts";
import { PUSH_WORKER } from "./push-worker.ts";

export type PushState = "unsupported" | "blocked" | "possible";

/** What this browser can do for pushes, before the user is asked. */
export function pushState(): PushState {
  const isSupported = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  if (!isSupported) return "unsupported";
  return Notification.permission === "denied" ? "blocked" : "possible";
}

/** Where pushes to this browser go; null where it is not subscribed. */
export async function ownEndpoint(): Promise<string | null> {
  if (pushState() === "unsupported") return null;
  const subscription = await subscriptionHere();
  return subscription?.endpoint ?? null;
}

async function subscriptionHere(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(PUSH_WORKER);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

function sendable(subscription: PushSubscription): BrowserSubscription {
  const { endpoint, keys } = subscription.toJSON();
  return { endpoint: endpoint ?? "", keys: { p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" } };
}

/** This browser's subscription as the server takes it; null where it has none. */
export async function subscriptionOf(): Promise<BrowserSubscription | null> {
  if (pushState() === "unsupported") return null;
  const subscription = await subscriptionHere();
  return subscription && sendable(subscription);
}

export interface BrowserSubscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** Asks the person, and the browser's push service. Throws CallError with a sentence for the person. */
export async function subscribeHere(publicKey: string): Promise<BrowserSubscription> {
  if ((await Notification.requestPermission()) !== "granted")
    throw refusal("This browser was not allowed to show notifications.");
  try {
    await navigator.serviceWorker.register(PUSH_WORKER);
    const { pushManager } = await navigator.serviceWorker.ready;
    const options = { userVisibleOnly: true, applicationServerKey: publicKey };
    const subscription = await pushManager.subscribe(options).catch(async () => {
      // One of other keys, as after a change of the installation's, stands in the way.
      await (await pushManager.getSubscription())?.unsubscribe();
      return pushManager.subscribe(options);
    });
    return sendable(subscription);
  } catch (error) {
    console.error("subscribing to pushes", error);
    throw refusal("This browser's push service did not answer. Try again, or use another browser.");
  }
}

/** The browser forgets its subscription: the push service then tells us that it is gone, whatever else happens. */
export async function unsubscribeHere(): Promise<void> {
  if (pushState() === "unsupported") return;
  await (await subscriptionHere())?.unsubscribe();
}

const refusal = (sentence: string) => new CallError(0, "unavailable", sentence);
