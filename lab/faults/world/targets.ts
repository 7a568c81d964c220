/** What can be harmed, by the name that the command line has for it. */
import { openEmbedded } from './embedded.ts';
import { openCells, openOrganisation } from './organisation.ts';
import { openTeam } from './team.ts';
import type { OpenWorld } from './world.ts';

export const targets = {
  embedded: openEmbedded,
  mongodb: openTeam,
  kafka: openOrganisation,
  cells: openCells,
} satisfies Record<string, OpenWorld>;
export type TargetName = keyof typeof targets;
