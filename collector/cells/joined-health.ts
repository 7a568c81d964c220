/**
 * How a worker with several cells fares: those that it leads, one by one. Of the others it reads as
 * much as another worker has folded.
 */
import type { FullHealth } from '../answers/health/route.ts';
import type { Intake } from '../ingest/kafka/intake.ts';
import type { LedgerParts } from '../roles/parts.ts';

type Cell = Pick<LedgerParts, 'store' | 'readHealth'>;

export function joinHealth(
  cells: readonly Cell[],
  intake: Pick<Intake, 'warnings'>,
): () => Promise<FullHealth> {
  return async () => {
    const led = await Promise.all(
      cells.map(async ({ store, readHealth }, cell) => {
        const isLed = store.right.isHeld();
        return { cell, isLed, health: await readHealth() };
      }),
    );
    const own = led.filter(({ isLed }) => isLed);
    const [first] = led;
    if (first === undefined) throw new Error('A ledger has a cell at least.');
    const problems =
      own.length === 0
        ? ['This worker leads no cell: other workers do, or Kafka has given it none yet.']
        : own.flatMap(named(({ problems }) => problems));
    return {
      ...first.health,
      ready: problems.length === 0,
      role: own.length === 0 ? 'standby' : 'leader',
      problems,
      warnings: [...intake.warnings(), ...own.flatMap(named(({ warnings }) => warnings))],
      views: joinedViews(led.map(({ health }) => health)),
      subscribers: own.flatMap(({ cell, health }) =>
        health.subscribers.map((each) => ({ ...each, name: `${each.name} (cell ${cell})` })),
      ),
    };
  };
}

interface OfCell {
  readonly cell: number;
  readonly health: FullHealth;
}

function named(messages: (health: FullHealth) => readonly string[]) {
  return ({ cell, health }: OfCell): string[] =>
    messages(health).map((message) => `Cell ${cell}: ${message}`);
}

/** Positions count the events of all cells. */
function joinedViews(healths: readonly FullHealth[]): FullHealth['views'] {
  const views = Map.groupBy(
    healths.flatMap(({ views }) => views),
    ({ projection }) => projection,
  );
  return [...views].map(([projection, parts]) => ({
    projection,
    position: sumOf(parts, ({ position }) => position),
    head: sumOf(parts, ({ head }) => head),
    setAside: {
      count: sumOf(parts, ({ setAside }) => setAside.count),
      events: parts.flatMap(({ setAside }) => setAside.events),
    },
  }));
}

function sumOf<Part>(parts: readonly Part[], of: (part: Part) => number): number {
  return parts.reduce((sum, part) => sum + of(part), 0);
}
