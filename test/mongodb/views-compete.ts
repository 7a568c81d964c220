/**
 * Commits the story against whoever else does, from wherever it stands, until its input ends or it
 * is killed: `node views-compete.ts URI`. Writes a line per commit: `committed` or `stale`.
 */
import { openViewsAt } from '../suites/views/open-mongodb.ts';
import { storyCommit, things } from '../suites/views/things.ts';

const views = await openViewsAt({ uri: process.argv[2] ?? '' });
let isOver = false;
process.stdin.on('end', () => {
  isOver = true;
});
process.stdin.resume();
let live = await views.live(things);
while (!isOver && live !== null) {
  const outcome = await views.commit(things, storyCommit(live.id, live.checkpoint + 1));
  process.stdout.write(`${outcome}\n`);
  live =
    outcome === 'committed'
      ? { ...live, checkpoint: live.checkpoint + 1 }
      : await views.live(things);
}
await views.close();
