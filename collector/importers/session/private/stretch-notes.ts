/** What is noted of a private stretch while its file is read: its time, and whom it names. */
import { type Entry, parseTimeMs } from '@pi-ledger/core/record/entry';

export interface NamedIn {
  readonly ref: string;
  /** When the first such stretch began. What is older is no subagent of it. */
  readonly fromMs: number;
  /** A result says also what it spent: it was asked in the stretch, whenever it began. */
  readonly saysSpend: boolean;
}

/** Sessions that results name, by their ref. */
export function createNames() {
  const named = new Map<string, NamedIn>();
  return {
    add(ref: string, fromMs: number, saysSpend: boolean): void {
      const known = named.get(ref);
      const isSaid = saysSpend || known?.saysSpend === true;
      named.set(ref, { ref, fromMs: known?.fromMs ?? fromMs, saysSpend: isSaid });
    },
    list: () => [...named.values()],
  };
}

export type Clock = ReturnType<typeof createClock>;

const disorderMs = 1_000;

export function createClock() {
  let [lastAtMs, copiedUntilMs, isDisordered] = [0, 0, false];
  return {
    /** Call in file order. */
    take({ timestamp }: Entry, beganAtMs: number): void {
      const timeMs = parseTimeMs(timestamp) ?? lastAtMs;
      if (timeMs < beganAtMs) copiedUntilMs = Math.max(copiedUntilMs, timeMs);
      if (timeMs < lastAtMs - disorderMs) isDisordered = true;
      lastAtMs = Math.max(lastAtMs, timeMs);
    },
    get lastAtMs() {
      return lastAtMs;
    },
    get copiedUntilMs() {
      return copiedUntilMs;
    },
    get isDisordered() {
      return isDisordered;
    },
  };
}
