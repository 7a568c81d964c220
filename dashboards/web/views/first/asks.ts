import { ask } from '../../api/ask.ts';

/** Whether there is any session at all. */
export const anySessionAsk = ask('/v1/sessions', { limit: 1 });
export const hostsAsk = ask('/v1/hosts');
