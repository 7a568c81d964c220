/** What a phase cost an event: differences of what was measured before and after it. Pure. */
import { loadavg } from 'node:os';
import type { Paced } from '../paced.ts';
import { type Measured, type Parts, partNames } from './chain.ts';

export interface Figures {
  readonly paced: Paced;
  readonly cpuUs: Parts;
  readonly residentMegabytes: Parts;
  readonly kafkaBytes: number;
  readonly databaseBytes: number;
  readonly jsonBytes: number;
  readonly foldedSeconds: number;
  readonly load: string;
}

export function figuresOf(
  before: Measured,
  after: Measured,
  { paced, foldedSeconds }: { readonly paced: Paced; readonly foldedSeconds: number },
): Figures {
  const anEvent = (later: number, earlier: number): number => (later - earlier) / paced.events;
  const perPart = (of: (part: (typeof partNames)[number]) => number): Parts =>
    Object.fromEntries(partNames.map((part) => [part, of(part)])) as Parts;
  return {
    paced,
    foldedSeconds,
    cpuUs: perPart((part) => 1e6 * anEvent(after.cpuSeconds[part], before.cpuSeconds[part])),
    residentMegabytes: perPart((part) => after.residentBytes[part] / 1e6),
    kafkaBytes: anEvent(after.kafkaBytes, before.kafkaBytes),
    databaseBytes: anEvent(after.databaseBytes, before.databaseBytes),
    jsonBytes: anEvent(after.jsonBytes, before.jsonBytes),
    load: loadavg()[0]?.toFixed(0) ?? '',
  };
}
