/** What can be harmed, by the name that the command line has for it. */
import { openEmbedded } from './embedded.ts';
import type { OpenWorld } from './world.ts';

export const targets = { embedded: openEmbedded } satisfies Record<string, OpenWorld>;
export type TargetName = keyof typeof targets;
