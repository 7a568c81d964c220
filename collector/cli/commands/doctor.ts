import type { CollectorConfig } from '../../config/config.ts';
import type { LedgerClient } from '../client/ledger-client.ts';
import type { CliCommand, Terminal } from '../command.ts';
import type { DoctorFinding } from '../doctor/finding.ts';
import { whyOf } from '../explain.ts';
import { printAnswer, table } from '../output/answer.ts';
import type { Column } from '../output/table.ts';
import { wrapLine } from '../output/wrap.ts';
import { asCalled } from '../own-line.ts';
import { version } from '../version.ts';

/**
 * `pi-ledger doctor`: checks the settings, the extension in each host, the collector and its views,
 * waiting and rejected events, free disk space and versions.
 */
export const doctorCommand: CliCommand = {
  examples: {
    doctor: [['pi-ledger doctor --deep', 'with every event of the store']],
  },
  define(program, terminal, exit) {
    program
      .command('doctor')
      .description('check the installation: extension, collector, spool, versions')
      .option('--deep', 'also read the whole store, and check every event in it')
      .option('--json', 'print JSON')
      .action(async (options: DoctorOptions) => {
        const findings = await examine(options, terminal);
        print(findings, options.json === true, terminal);
        exit(findings.some((finding) => finding.state === 'bad') ? 1 : 0);
      });
  },
};

interface DoctorOptions {
  readonly json?: true;
  readonly deep?: true;
}

async function examine(
  { deep }: DoctorOptions,
  terminal: Terminal,
): Promise<readonly DoctorFinding[]> {
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { checkHosts } = await import('../doctor/hosts.ts');
  const { checkDisk } = await import('../doctor/disk.ts');
  const { checkSpool } = await import('../doctor/spool.ts');

  const versions: DoctorFinding = {
    check: 'versions',
    state: 'good',
    detail: `pi-ledger ${version}, Node ${process.versions.node}`,
  };
  const config = await attempted('settings', () => loadCollectorConfig(terminal.env));
  if ('state' in config) return [versions, config, ...checkHosts(terminal.env)];
  const { store } = config;
  // The spool first: without a running collector the doctor opens the store, which empties the
  // spool.
  const spool = await findings('spool', () => checkSpool(config.spoolDirectory));
  return [
    versions,
    ...checkSettings(config),
    ...(await findings('hosts', () => checkHosts(terminal.env))),
    ...spool,
    ...(await findings('disk', () =>
      checkDisk([config.home, ...store.driver.directoriesOf(store.address)]),
    )),
    ...(deep
      ? await findings('store', async () =>
          (await import('../doctor/deep.ts')).checkStoreDeeply(store),
        )
      : []),
    ...(await findings('collector', () => askLedger(config, terminal))),
  ];
}

/** A check that cannot be made is a finding, too: the doctor goes on with the next one. */
async function attempted<Result>(
  check: string,
  attempt: () => Result | Promise<Result>,
): Promise<Result | DoctorFinding> {
  try {
    return await attempt();
  } catch (error) {
    return { check, state: 'bad', detail: whyOf(error) };
  }
}

async function findings(
  check: string,
  attempt: () => readonly DoctorFinding[] | Promise<readonly DoctorFinding[]>,
): Promise<readonly DoctorFinding[]> {
  const made = await attempted(check, attempt);
  return 'state' in made ? [made] : made;
}

function checkSettings({ doubts, telemetry }: CollectorConfig): readonly DoctorFinding[] {
  const found = [...doubts, ...telemetry.problems];
  if (found.length === 0)
    return [{ check: 'settings', state: 'good', detail: 'every setting is known and valid' }];
  return found.map((detail) => ({ check: 'settings', state: 'bad', detail }));
}

async function askLedger(config: CollectorConfig, terminal: Terminal): Promise<DoctorFinding[]> {
  const { checkCollector } = await import('../doctor/collector.ts');
  const { checkPort } = await import('../doctor/port.ts');
  const { checkDeadLetters } = await import('../doctor/dead-letters.ts');
  const { checkViews } = await import('../doctor/views.ts');
  const { checkNotices } = await import('../doctor/notices.ts');
  const { openLedgerClient } = await import('../client/ledger-client.ts');
  const { findCollector } = await import('../client/running-collector.ts');

  const collector = await findCollector(config);
  const url = collector?.url ?? null;
  const port = config.url === null ? await checkPort(config, url) : [];
  const opened = await attempted('store', () => openLedgerClient(terminal));
  if ('state' in opened) return [...port, opened];
  try {
    return [
      ...(await checkCollector(url, opened)),
      ...port,
      ...(await checkViews(opened)),
      ...(await checkImport(opened, terminal)),
      ...(await checkDeadLetters(opened)),
      ...(await checkNotices(opened)),
    ];
  } catch (error) {
    return [...port, { check: 'collector', state: 'bad', detail: whyOf(error) }];
  } finally {
    await opened.close();
  }
}

/** An import that was interrupted left totals incomplete, and so do lines that it cannot read. */
async function checkImport(client: LedgerClient, terminal: Terminal): Promise<DoctorFinding[]> {
  const { importingText, readImporting } = await import('../client/importing.ts');
  const { leftOutText, readLeftOut } = await import('../client/left-out.ts');
  const importing = await readImporting(terminal, client);
  const leftOut = await readLeftOut(terminal, client);
  const found: DoctorFinding[] = [];
  if (importing !== null) {
    const state = importing.isRunning ? 'note' : 'bad';
    found.push({ check: 'import', state, detail: importingText(importing) });
  }
  if (leftOut.count > 0) {
    const detail = `${leftOutText(leftOut)}: \`pi-ledger import\` lists them`;
    found.push({ check: 'import', state: 'bad', detail });
  }
  return found;
}

function print(findings: readonly DoctorFinding[], json: boolean, terminal: Terminal): void {
  if (json) {
    terminal.printJson({ findings });
    return;
  }
  // A finding has more lines than one where there is no room beside its name.
  const names = Math.max(...findings.map(({ check }) => check.length));
  const room = terminal.columns === null ? null : terminal.columns - names - stateWidth;
  const rows = findings.flatMap(({ check, state, detail }) =>
    wrapLine(asCalled(terminal, detail), room).map((text, at) => ({
      check: at === 0 ? check : '',
      state: at === 0 ? stateWords[state] : '',
      text: String(text),
    })),
  );
  const left = { align: 'left', dropOrder: 0 } as const;
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { ...left, title: 'check', cell: ({ check }) => check },
    { ...left, title: '', cell: ({ state }) => state },
    { ...left, title: 'finding', cell: ({ text }) => text },
  ];
  printAnswer(terminal, { body: [table({ columns, rows })], wide: true });
}

const stateWords = { good: 'ok', note: '-', bad: 'BAD' };
/** With the gaps between columns. */
const stateWidth = 8;
