/**
 * Commits the story for ever, until it is killed: `node child.ts MODULE EXPORT ARGUMENT`. Writes a
 * line when it has begun.
 */
import type { Views } from '../../../collector/views/views.ts';
import { storyCommit, things } from './things.ts';

const [module = '', name = '', argument = ''] = process.argv.slice(2);
const opener: Record<string, (argument: unknown) => Views | Promise<Views>> = await import(module);
const views = await opener[name]?.(JSON.parse(argument));
const live = await views?.live(things);
if (views === undefined || live === null || live === undefined)
  throw new Error('The child found no view.');
for (let to = live.checkpoint + 1; ; to++) {
  const outcome = await views.commit(things, storyCommit(live.id, to));
  if (outcome !== 'committed') throw new Error(`The child's commit was ${outcome}.`);
  if (to === live.checkpoint + 1) process.stdout.write('committing\n');
}
