import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { Count, OptionalText } from '../../fields.ts';

/**
 * Requests to a model that were answered while a session was at work, and that none of its entries
 * explains: packages send them beside the host, and nothing says what they cost. `time` is when the
 * first of them was sent.
 *
 * Each request is in one event. If an entry explains it later, one further event of the same time,
 * host and provider takes it back. So the sum of `unexplained` less `explainedLater` does not
 * depend on the order of events.
 */
export const requestsObserved = defineEventType({
  type: 'pi.requests.observed.v1',
  basis: 'live',
  data: Type.Object({
    /** The name of the host that answered, and nothing else of the URL. */
    host: Type.String({ minLength: 1, maxLength: 253 }),
    /** The provider with models at this host; null if several have. */
    provider: OptionalText,
    unexplained: Count,
    /** Requests of earlier events that an entry has explained since. */
    explainedLater: Count,
  }),
  example: {
    host: 'api.anthropic.com',
    provider: 'anthropic',
    unexplained: 2,
    explainedLater: 0,
  },
});
