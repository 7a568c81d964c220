/** The kept lines of a growing ledger as rows of a table. */
import type { Row } from '../benchmark.ts';
import { median } from '../statistics.ts';
import type { LookLine, PartLine } from './lines.ts';

export const shareMin = 0.9;
const tenths = 10;

/** Parts that warmed a process up or repeated what an interrupted one had sent do not count. */
export function growthRows(
  store: string,
  all: readonly (PartLine & { readonly load: number; readonly commit: string })[],
): readonly Row[] {
  const parts = all.filter(({ partOfProcess, repeated }) => partOfProcess > 1 && repeated === 0);
  const events = all.at(-1)?.events ?? 0;
  const groups = Array.from({ length: tenths }, (_, index) =>
    parts.filter((part) => Math.ceil((part.events * tenths) / events) === index + 1),
  ).filter((group) => group.length > 0);
  const [first, last] = [groups[0], groups.at(-1)];
  if (first === undefined || last === undefined) return [];
  const ofFirst = { what: 'the first', measured: median(first.map(perCpuSecond)) };
  const ofLast = median(last.map(perCpuSecond));
  const commits = [...new Set(all.map(({ commit }) => commit))].join(', ');
  return [
    ...groups.map((group): Row => {
      const until = ((group.at(-1)?.events ?? 0) / 1e6).toFixed(1);
      return {
        what: `${store}: taken in and folded, until ${until}M`,
        measured: median(group.map(perCpuSecond)),
        unit: 'events/cpu-s',
        baseline: ofFirst,
        note: noteOf(group),
      };
    }),
    {
      what: `${store}: the last tenth's speed, of the first's`,
      measured: ofLast / ofFirst.measured,
      unit: 'share',
      budget: { min: shareMin },
      note:
        `${events.toLocaleString('en-US')} events, seed ${all[0]?.seed}, at ${commits}; ` +
        `${parts.length} of ${all.length} parts counted`,
    },
  ];
}

function noteOf(group: readonly (PartLine & { readonly load: number })[]): string {
  const of = (pick: (part: (typeof group)[number]) => number): number => median(group.map(pick));
  const server = of((part) => (part.serverCpuSeconds * 1e6) / part.accepted);
  const clock = of((part) => part.accepted / part.seconds).toFixed(0);
  const resident = (of(({ residentBytes }) => residentBytes) / 1e6).toFixed(0);
  return (
    `${clock} events/s by the clock at load ${of(({ load }) => load)}; ${resident} MB resident` +
    (server > 0 ? `; database ${server.toFixed(0)} us of CPU an event` : '')
  );
}

function perCpuSecond({ accepted, cpuSeconds }: PartLine): number {
  return accepted / cpuSeconds;
}

export function lookRows(store: string, look: LookLine): readonly Row[] {
  const { events, storeBytes, readyMs, residentBytes, rebuild } = look;
  const label = labelOf(store, look);
  return [
    { what: `${label}: of the store, an event`, measured: storeBytes / events, unit: 'B' },
    { what: `${label}: start to ready`, measured: median(readyMs), unit: 'ms' },
    { what: `${label}: resident then`, measured: residentBytes / 1e6, unit: 'MB' },
    {
      what: `${label}: view sessions folded anew`,
      measured: events / rebuild.cpuSeconds,
      unit: 'events/cpu-s',
      note: `${rebuild.seconds.toFixed(0)} s by the clock, ${rebuild.cpuSeconds.toFixed(0)} of CPU`,
    },
  ];
}

/** Each beside the look before. */
export function answerRows(store: string, looks: readonly LookLine[]): readonly Row[] {
  return looks.flatMap((look, index) => {
    const before = looks[index - 1];
    return look.answers.map((answers): Row => {
      const { place, asks, refused, cpuMs, ms, slowestMs, slowest } = answers;
      const earlier = before?.answers.find((each) => each.place === place);
      return {
        what: `${labelOf(store, look)}: ${place}, its ${asks} answers`,
        measured: cpuMs,
        unit: 'ms',
        ...(earlier !== undefined && {
          baseline: { what: 'a tenth', measured: Math.max(1, earlier.cpuMs) },
        }),
        note:
          `of CPU; ${ms.toFixed(0)} ms by the clock; slowest ${slowestMs.toFixed(0)} ms ` +
          `(${slowest})${refused.length === 0 ? '' : `; refused: ${refused.join(' ')}`}`,
      };
    });
  });
}

function labelOf(store: string, { events }: LookLine): string {
  return `${store}, ${(events / 1e6).toLocaleString('en-US')}M`;
}
