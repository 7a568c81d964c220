/** Who is handed the log beside the views: exporters, when there are any. One is one line here. */
import type { Subscriber } from '../subscription/subscriber.ts';

export const registeredSubscribers: readonly Subscriber[] = [];
