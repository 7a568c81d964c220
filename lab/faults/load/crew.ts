/** The producers of an episode: processes that come, are killed, and are followed by others. */
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Dice } from '../../../test/hosts/support/machine/dice.ts';
import type { Offered } from '../truth/offered.ts';
import { type Child, startChild } from '../world/child.ts';
import { clockJump } from '../world/program.ts';
import { until } from '../world/until.ts';
import { type JournalReader, readJournal } from './journal.ts';
import type { ProducerSettings } from './producer-process.ts';

export interface Crew {
  readonly spoolDirectory: string;
  /** A stream of which no event was offered. */
  newStream(): number;
  /** Reads what producers wrote down. */
  listen(): void;
  /**
   * With SIGKILL; another takes its place. `isInFlight`: it had events that nobody acknowledged.
   */
  killOne(dice: Dice): Promise<{ readonly isInFlight: boolean }>;
  signalOne(dice: Dice, signal: NodeJS.Signals): void;
  signalAll(signal: NodeJS.Signals): void;
  /** Ends all in order. Returns how many did not end by themselves. */
  end(): Promise<number>;
  /** Ships what dead producers left, until nothing is left. */
  sweep(): Promise<void>;
  /** Bytes that the spool still has. */
  waitingBytes(): number;
}

interface Producer {
  readonly stream: number;
  readonly child: Child;
  readonly journal: JournalReader;
  /** Spooled, and not acknowledged that the harness knows. */
  readonly waiting: Set<string>;
}

const script = fileURLToPath(new URL('producer-process.ts', import.meta.url));
/** It ends what hangs. */
const endMsMax = 240_000;
const sweepMs = 15_000;

export function createCrew(options: {
  readonly seed: number;
  readonly size: number;
  readonly directory: string;
  readonly home: string;
  readonly token: string;
  /** Each producer sends to one. */
  readonly urls: readonly string[];
  readonly clockFile: string;
  readonly offered: Offered;
}): Crew {
  const { seed, size, directory, home, token, urls, clockFile, offered } = options;
  const spoolDirectory = join(home, 'spool');
  const journals = join(directory, 'journals');
  mkdirSync(journals, { recursive: true });
  // A step may look into it before the first producer has made it.
  mkdirSync(spoolDirectory, { recursive: true, mode: 0o700 });
  let streams = 0;
  const newStream = (): number => {
    streams += 1;
    return streams;
  };
  const producers: Producer[] = Array.from({ length: size }, () => start(false));
  /** They offer until they have ended. */
  const ending = new Set<Producer>();

  function start(isSweeper: boolean): Producer {
    const stream = newStream();
    const url = urls[stream % urls.length] ?? '';
    const journal = join(journals, `${stream}.ndjson`);
    const settings: ProducerSettings = {
      ...{ seed, stream, home, spoolDirectory, journal, url, token, isSweeper },
    };
    const child = startChild(['--import', clockJump, script, JSON.stringify(settings)], {
      ...{ HOME: home, PI_LEDGER_HOME: home, FAULTS_CLOCK: clockFile },
    });
    return { stream, child, journal: readJournal(journal), waiting: new Set() };
  }

  function hear({ stream, journal, waiting }: Producer): void {
    for (const note of journal.news()) {
      offered.note(`producer ${stream}`, note);
      for (const id of note.ids) {
        if (note.is === 'spooled') waiting.add(id);
        if (note.is === 'acknowledged') waiting.delete(id);
      }
    }
  }

  async function end(producer: Producer): Promise<boolean> {
    ending.add(producer);
    producer.child.signal('SIGTERM');
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      producer.child.signal('SIGKILL');
    }, endMsMax);
    await producer.child.ended;
    clearTimeout(timer);
    hear(producer);
    ending.delete(producer);
    return isLate;
  }

  return {
    ...{ spoolDirectory, newStream },
    listen() {
      for (const producer of [...producers, ...ending]) hear(producer);
    },
    async killOne({ below }) {
      const index = below(producers.length);
      const victim = producers[index] as Producer;
      await until(
        'a producer works',
        () => victim.child.said() !== '' || !victim.child.isRunning(),
      );
      victim.child.signal('SIGKILL');
      await victim.child.ended;
      hear(victim);
      producers[index] = start(false);
      return { isInFlight: victim.waiting.size > 0 };
    },
    signalOne: ({ below }, signal) => producers[below(producers.length)]?.child.signal(signal),
    signalAll(signal) {
      for (const { child } of producers) child.signal(signal);
    },
    async end() {
      const late = await Promise.all(producers.splice(0).map(end));
      return late.filter((isLate) => isLate).length;
    },
    async sweep() {
      const sweeper = start(true);
      const endMs = performance.now() + sweepMs;
      await until(
        'the spool is swept',
        () => spoolBytes(spoolDirectory) === 0 || performance.now() > endMs,
      );
      await end(sweeper);
    },
    waitingBytes: () => spoolBytes(spoolDirectory),
  };
}

/** Of segments; what was set aside in `rejected` does not wait. */
function spoolBytes(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true }).reduce(
    (sum, entry) =>
      entry.isFile() && entry.name.endsWith('.ndjson') && !entry.parentPath.includes('rejected')
        ? sum + sizeOf(join(entry.parentPath, entry.name))
        : sum,
    0,
  );
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
