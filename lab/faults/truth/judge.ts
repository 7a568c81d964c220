/** What has to hold when everything runs again and nothing is on its way. */
import type { Answers } from '@pi-ledger/contract/answers';
import { ask } from '../world/ask.ts';
import { until } from '../world/until.ts';
import type { World } from '../world/world.ts';
import { differencesOf, foldOf, type UsageRow } from './figures.ts';
import { lostOf } from './log-watch.ts';
import type { Offered } from './offered.ts';
import type { Watch } from './watch.ts';

/** Returns what does not hold. Rejects if nobody answers for long. */
export async function judge(options: {
  readonly seed: number;
  readonly world: World;
  readonly offered: Offered;
  readonly watch: Watch;
  /** How long it waits for what is missing while nothing new comes. */
  readonly restMsMax?: number;
}): Promise<readonly string[]> {
  const { seed, world, offered, watch } = options;
  const { restMsMax = world.isAckInLog ? restMsOfLog : restMsOfBroker } = options;
  const ids = (): ReadonlySet<string> => new Set(watch.log.seen.keys());
  await arrived(offered, watch, restMsMax);
  const missing = missingIn(offered, watch);
  await folded(world);
  await watch.look();
  const wrong = await wrongFigures(world, seed, ids());
  await ask(world, '/v1/rebuild/sessions', 'POST');
  const wrongAnew = await wrongFigures(world, seed, ids());
  return [
    ...missing,
    ...offered.miscounted(),
    ...wrong,
    ...wrongAnew.map((each) => `after a rebuild: ${each}`),
    ...(await gapsOf(world)),
    ...(await lettersOf(world)),
  ];
}

/** Without anything new. */
const restMsOfLog = 120_000;
/** A group of consumers was seen to take more than 40 s to find itself again. */
const restMsOfBroker = 240_000;
const lookEveryMs = 250;

/** Waits until everything promised is there, or nothing new comes. */
async function arrived(offered: Offered, watch: Watch, restMsMax: number): Promise<void> {
  let last = -1;
  let sinceMs = performance.now();
  await until(
    'the log rests',
    async () => {
      await watch.look();
      if (watch.log.seen.size !== last) sinceMs = performance.now();
      last = watch.log.seen.size;
      if (missingIn(offered, watch).length === 0) return true;
      return performance.now() - sinceMs > restMsMax;
    },
    // It ends when the log rests, however slow the machine is.
    { pollMs: lookEveryMs, withinMs: Number.POSITIVE_INFINITY },
  );
}

/** Events, and moves of entries that count where they do not belong. */
function missingIn({ promised }: Offered, { log }: Watch): readonly string[] {
  return [...lostOf(promised, log.seen), ...log.owners.misplaced()];
}

/** Every view has folded the whole log, and set nothing aside. */
async function folded(world: World): Promise<void> {
  await until('views have folded all', async () => {
    const { views = [] } = await ask<Answers['GET /health/ready']>(world, '/health/ready');
    const isThere = views.every(
      ({ position, head, setAside }) => position === head && setAside.count === 0,
    );
    return views.length > 0 && isThere;
  });
}

async function wrongFigures(
  world: World,
  seed: number,
  ids: ReadonlySet<string>,
): Promise<readonly string[]> {
  const expected = foldOf(seed, ids);
  const rowsBy = async (what: string): Promise<readonly UsageRow[]> =>
    (await ask<Answers['GET /v1/usage']>(world, `/v1/usage?by=${what}`)).rows as UsageRow[];
  return [
    ...differencesOf('project', await rowsBy('project'), expected.byProject),
    ...differencesOf('model', await rowsBy('model'), expected.byModel),
  ];
}

/** What a producer numbered and nobody received would be a silent loss. */
async function gapsOf(world: World): Promise<readonly string[]> {
  const { rows } = await ask<Answers['GET /v1/producers']>(world, '/v1/producers?limit=1000');
  return rows.flatMap(({ source, missing, gaps }) =>
    missing === 0 ? [] : [`${source} misses ${missing} events: ${JSON.stringify(gaps)}`],
  );
}

/** Everything offered was an event. */
async function lettersOf(world: World): Promise<readonly string[]> {
  const { rows } = await ask<Answers['GET /v1/dead-letters']>(world, '/v1/dead-letters');
  return rows.length === 0 ? [] : [`${rows.length} dead letters: ${JSON.stringify(rows[0])}`];
}
