/** `pi-ledger` as a command in its own home: import, damage, reconcile. */
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { main } from '../../../../collector/cli/main.ts';
import type { Screen } from '../../../../collector/cli/output/screen.ts';

export interface CommandLine {
  readonly home: string;
  run(
    ...argv: string[]
  ): Promise<{ readonly code: number; readonly printed: string; readonly complained: string }>;
  reconcile(
    ...argv: string[]
  ): Promise<{ readonly code: number; readonly answer: ReconcileAnswer }>;
  /** A copy of the home to damage. */
  copy(): CommandLine;
  /** Changes the store while no command runs. */
  change(write: (database: DatabaseSync) => void): void;
}

export interface ReconcileAnswer {
  readonly isExplained: boolean;
  readonly totals: Readonly<
    Record<'files' | 'log' | 'views', Readonly<Record<string, number | string>>>
  >;
  readonly reasons: Readonly<
    Record<string, { readonly explained: boolean; readonly sentence: string }>
  >;
  readonly differences: readonly DifferenceAnswer[];
  readonly sessions: readonly {
    readonly session: string;
    readonly files: readonly string[];
    readonly inFiles: Readonly<Record<string, unknown>> | null;
    readonly inLog: Readonly<Record<string, unknown>> | null;
    readonly inViews: Readonly<Record<string, unknown>> | null;
    readonly differences: readonly DifferenceAnswer[];
  }[];
  readonly problems: readonly {
    readonly path: string;
    readonly line: number | null;
    readonly message: string;
  }[];
}

interface DifferenceAnswer {
  readonly reason: string;
  readonly explained: boolean;
  readonly count: number;
  readonly entryId?: string;
  readonly otherSessionId?: string;
  readonly inFiles?: string;
  readonly inLog?: string;
  readonly position?: number;
}

/**
 * `within`: a temporary directory that the caller removes; `hostHome`: where default directories
 * are searched; `now`: the time that every command takes for now.
 */
export function commandLine(
  within: string,
  config: object = {},
  hostHome = join(within, 'nobody'),
  now = new Date('2026-11-22T12:00:00Z'),
): CommandLine {
  mkdirSync(within, { recursive: true });
  const home = mkdtempSync(join(within, 'home-'));
  writeFileSync(join(home, 'config.json'), JSON.stringify(config));
  return at(within, home, hostHome, now);
}

function at(within: string, home: string, hostHome: string, now: Date): CommandLine {
  const run = async (...argv: string[]) => {
    const printed: string[] = [];
    const complained: string[] = [];
    const screen: Screen = {
      env: { PI_LEDGER_HOME: home, HOME: hostHome },
      columns: null,
      colour: false,
      now: () => now,
      print: (line) => printed.push(line),
      complain: (line) => complained.push(line),
    };
    return {
      code: await main(argv, screen),
      printed: printed.join('\n'),
      complained: complained.join('\n'),
    };
  };
  return {
    home,
    run,
    async reconcile(...argv) {
      const { code, printed, complained } = await run('reconcile', '--json', ...argv);
      if (printed === '') throw new Error(complained);
      return { code, answer: JSON.parse(printed) as ReconcileAnswer };
    },
    copy() {
      const copied = mkdtempSync(join(within, 'copy-'));
      cpSync(home, copied, { recursive: true });
      return at(within, copied, hostHome, now);
    },
    change(write) {
      const database = new DatabaseSync(join(home, 'ledger.db'));
      try {
        write(database);
      } finally {
        database.close();
      }
    },
  };
}

/**
 * Damages a copy of a sound ledger without rebuilding views, and returns what reconcile finds.
 * `pi`: the session files.
 */
export async function reconcileDamaged(
  sound: CommandLine,
  pi: string,
  damage: (database: DatabaseSync) => void,
): Promise<{ code: number; faults: readonly string[] }> {
  const damaged = sound.copy();
  damaged.change(damage);
  const { code, answer } = await damaged.reconcile('--pi', pi);
  return { code, faults: faultsIn(answer) };
}

/** Codes of all faults, sorted, each once. */
export function faultsIn({ differences, sessions }: ReconcileAnswer): readonly string[] {
  return codesOf(
    [...differences, ...sessions.flatMap((session) => session.differences)].filter(
      ({ explained }) => !explained,
    ),
  );
}

export function explanationsIn({ differences, sessions }: ReconcileAnswer): readonly string[] {
  return codesOf(
    [...differences, ...sessions.flatMap((session) => session.differences)].filter(
      ({ explained }) => explained,
    ),
  );
}

function codesOf(differences: readonly DifferenceAnswer[]): readonly string[] {
  return [...new Set(differences.map(({ reason }) => reason))].sort();
}
