/**
 * What a run of a subagent is called where results of tools are tied to it: by itself, or where no
 * run is told by its subagent alone. Pure; views use it without the recording core.
 */
const toldPrefix = 'run:';
const untoldPrefix = 'same:';

/** `name`: the same for all results about it. */
export function runRef(name: string, isRunTold: boolean): string {
  return `${isRunTold ? toldPrefix : untoldPrefix}${name}`;
}

export function isRunRef(ref: string): boolean {
  return tellsRun(ref) || ref.startsWith(untoldPrefix);
}

export function tellsRun(ref: string): boolean {
  return ref.startsWith(toldPrefix);
}
