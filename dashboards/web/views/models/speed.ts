/** How fast models answered, day by day: what the dots of the chart stand for. */
import type { ModelDay, ModelRow, Percentile } from '@pi-ledger/contract/answers';
import { seriesMax } from '../../charts/colours.ts';
import { formatLatency } from '../../format/latency.ts';

export const speedChoices = [
  { value: 'first', words: 'first token' },
  { value: 'answer', words: 'answer' },
  { value: 'tokens', words: 'tokens/s' },
] as const;
export type SpeedChoice = (typeof speedChoices)[number]['value'];

export interface SpeedSeries {
  readonly name: string;
  /** By column; null: nothing was measured. */
  readonly days: readonly (ModelDay | null)[];
}

type Named = Pick<ModelRow, 'provider' | 'model'>;

/** The first `models` that have such a figure on any day, in their order. */
export function speedSeries(
  models: readonly Named[],
  rows: readonly ModelDay[],
  columns: readonly string[],
  choice: SpeedChoice,
): readonly SpeedSeries[] {
  const byKey = Map.groupBy(rows, keyOf);
  const measured = models.filter((each) =>
    byKey.get(keyOf(each))?.some((row) => speedIn(row, choice) !== null),
  );
  return measured.slice(0, seriesMax).map((each) => {
    const byDay = new Map(byKey.get(keyOf(each))?.map((row) => [row.day, row]));
    return { name: nameOf(each, measured), days: columns.map((day) => byDay.get(day) ?? null) };
  });
}

/** Milliseconds that half of the answers took at most; or tokens a second. Null: not measured. */
export function speedIn(row: ModelDay | null, choice: SpeedChoice): number | null {
  if (row === null) return null;
  if (choice === 'tokens') return row.outputTokensPerSecond;
  return (choice === 'first' ? row.firstP50 : row.durationP50)?.ms ?? null;
}

export function formatSpeed(value: number, choice: SpeedChoice): string {
  return choice === 'tokens' ? String(Math.round(value)) : formatLatency(value);
}

/** `~1.2 s, 95 of 100 within ~2.4 s`, `62 tokens/s`; null: nothing was measured. */
export function speedWords(row: ModelDay | null, choice: SpeedChoice): string | null {
  const value = speedIn(row, choice);
  if (row === null || value === null) return null;
  if (choice === 'tokens') return `${formatSpeed(value, choice)} tokens/s`;
  const [half, most] =
    choice === 'first' ? [row.firstP50, row.firstP95] : [row.durationP50, row.durationP95];
  return `${percentileWords(half)}, 95 of 100 within ${percentileWords(most)}`;
}

function percentileWords(percentile: Percentile | null): string {
  if (percentile === null) return 'n/a';
  return `${percentile.is === 'at least' ? '≥' : '~'}${formatLatency(percentile.ms)}`;
}

/** With its provider where another one sells a model of that name. */
function nameOf({ provider, model }: Named, among: readonly Named[]): string {
  const name = model ?? '(unknown)';
  const isShared = among.filter((other) => other.model === model).length > 1;
  return isShared ? `${provider ?? '(unknown)'}/${name}` : name;
}

function keyOf({ provider, model }: Named): string {
  return JSON.stringify([provider, model]);
}
