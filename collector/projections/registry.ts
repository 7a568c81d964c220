/** Every projection there is. The one line of registration that a new one needs. */
import { producers } from './producers.ts';
import type { Projection } from './projection.ts';
import { sessions } from './sessions.ts';

export const projections: readonly Projection[] = [sessions, producers];
