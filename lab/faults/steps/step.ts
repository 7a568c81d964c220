import type { Dice } from '../../../test/hosts/support/machine/dice.ts';
import type { Crew } from '../load/crew.ts';
import type { Offered } from '../truth/offered.ts';
import type { Kind, World } from '../world/world.ts';
import type { Tally } from './tally.ts';

/** What a step works on. */
export interface Stage {
  readonly seed: number;
  readonly world: World;
  readonly crew: Crew;
  readonly offered: Offered;
  readonly tally: Tally;
  /** To this much after the machine's. */
  moveAgentsClock(offsetMs: number): void;
  /** Something that must never happen, seen by a step itself. */
  complain(violation: string): void;
}

export interface Step {
  /** How likely it is drawn, beside the others; 0: never in this world. */
  weight(world: World): number;
  /**
   * Contract: leaves the world as it found it, or in a state that `calm` mends. Returns what it
   * did, for the history.
   */
  perform(stage: Stage, dice: Dice): Promise<string>;
}

export type Killed = Kind | 'producer';
