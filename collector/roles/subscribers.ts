/** The subscribers of this program: exporters, each one line here. There are none yet. */
import type { Subscriber } from '../subscription/subscriber.ts';

export const registeredSubscribers: readonly Subscriber[] = [];
