import { commandOf } from '../../format/command.ts';
import type { Place } from '../../state/place.ts';
import { periodIn } from '../../state/scope.ts';
import type { Today } from '../view.ts';

/** The project of the path, whatever project the scope names. */
export function commandOfProject(place: Place, today: Today, by: string): string {
  const parameters = { ...place.parameters, project: place.id ?? '' };
  const period = periodIn(place, today);
  return commandOf(`pi-ledger report --by ${by}`, { ...place, parameters }, period);
}
