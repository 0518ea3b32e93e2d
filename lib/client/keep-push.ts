import { channelsApi } from "../contracts/channels.ts";
import { call } from "./api.ts";
import { subscriptionOf, unsubscribeHere } from "./push.ts";

/**
 * After a sign-in, in a browser that shows notifications: those of the person who is signed in now go on and end with this sign-in;
 * those of another person, who used the browser before, are shown no more.
 */
export async function keepPush(): Promise<void> {
  const here = await subscriptionOf();
  if (here === null) return;
  const { subscriptions } = await call(channelsApi.readPush, {});
  const own = subscriptions.find(({ endpoint }) => endpoint === here.endpoint);
  if (own === undefined) await unsubscribeHere();
  else if (!own.isOfThisSignIn) await call(channelsApi.subscribePush, here);
}
