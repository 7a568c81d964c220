/** What every view needs for its frame. */
import { ask } from '../api/ask.ts';

export const standing = ask('/v1/standing');

export const frameAsks = [standing] as const;
