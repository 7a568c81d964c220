/** What a phase cost an event: differences of what was measured before and after it. Pure. */
import { loadavg } from 'node:os';
import type { Paced } from '../paced.ts';
import { type Measured, type Parts, partNames } from './chain.ts';

export interface Figures {
  readonly paced: Paced;
  /** Of an event, beyond what is spent at rest. */
  readonly cpuUs: Parts;
  readonly idleCores: Parts;
  readonly residentMegabytes: Parts;
  readonly kafkaBytes: number;
  readonly databaseBytes: number;
  readonly jsonBytes: number;
  readonly foldedSeconds: number;
  readonly load: string;
}

/** Nothing was sent between the first two; after that the events of the phase alone. */
export function figuresOf(
  [idle, before, after]: readonly [Measured, Measured, Measured],
  { paced, foldedSeconds }: { readonly paced: Paced; readonly foldedSeconds: number },
): Figures {
  const anEvent = (later: number, earlier: number): number => (later - earlier) / paced.events;
  const perPart = (of: (part: (typeof partNames)[number]) => number): Parts =>
    Object.fromEntries(partNames.map((part) => [part, of(part)])) as Parts;
  const spent = (part: (typeof partNames)[number], from: Measured, to: Measured): number =>
    to.cpuSeconds[part] - from.cpuSeconds[part];
  const seconds = (from: Measured, to: Measured): number => (to.atMs - from.atMs) / 1_000;
  const idleCores = perPart((part) => spent(part, idle, before) / seconds(idle, before));
  return {
    ...{ paced, foldedSeconds, idleCores },
    cpuUs: perPart((part) => {
      const atRest = idleCores[part] * seconds(before, after);
      return (1e6 * (spent(part, before, after) - atRest)) / paced.events;
    }),
    residentMegabytes: perPart((part) => after.residentBytes[part] / 1e6),
    kafkaBytes: anEvent(after.kafkaBytes, before.kafkaBytes),
    databaseBytes: anEvent(after.databaseBytes, before.databaseBytes),
    jsonBytes: anEvent(after.jsonBytes, before.jsonBytes),
    load: loadavg()[0]?.toFixed(0) ?? '',
  };
}
