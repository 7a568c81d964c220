import { join } from 'node:path';
import type { CollectorConfig } from '../../config/config.ts';
import { LedgerError } from '../../errors.ts';
import type { CliCommand, Terminal } from '../command.ts';
import type { Finding } from '../doctor/finding.ts';
import { printAnswer, table } from '../output/answer.ts';
import type { Column } from '../output/table.ts';
import { version } from '../version.ts';

/**
 * `pi-ledger doctor`: checks the settings, the extension in each host, the collector and its views,
 * waiting and rejected events, free disk space and versions.
 */
export const doctorCommand: CliCommand = {
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

async function examine({ deep }: DoctorOptions, terminal: Terminal): Promise<readonly Finding[]> {
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { checkHosts } = await import('../doctor/hosts.ts');
  const { checkDisk } = await import('../doctor/disk.ts');
  const { checkSpool } = await import('../doctor/spool.ts');

  const config = loadCollectorConfig(terminal.env);
  const { store } = config;
  // The spool first: without a running collector the doctor opens the store, which empties the
  // spool.
  const spool = checkSpool(join(config.home, 'spool'));
  return [
    {
      check: 'versions',
      state: 'good',
      detail: `pi-ledger ${version}, Node ${process.versions.node}`,
    },
    ...checkSettings(config),
    ...checkHosts(terminal.env),
    ...spool,
    ...checkDisk([config.home, ...store.driver.directoriesOf(store.address)]),
    ...(deep ? await (await import('../doctor/deep.ts')).checkStoreDeeply(store) : []),
    ...(await askLedger(config, terminal)),
  ];
}

function checkSettings({ doubts }: CollectorConfig): readonly Finding[] {
  if (doubts.length === 0)
    return [{ check: 'settings', state: 'good', detail: 'every setting is known and valid' }];
  return doubts.map((detail) => ({ check: 'settings', state: 'bad', detail }));
}

async function askLedger(config: CollectorConfig, terminal: Terminal): Promise<Finding[]> {
  const { checkCollector } = await import('../doctor/collector.ts');
  const { checkPort } = await import('../doctor/port.ts');
  const { checkDeadLetters } = await import('../doctor/dead-letters.ts');
  const { checkViews } = await import('../doctor/views.ts');
  const { openLedgerClient } = await import('../client/ledger-client.ts');
  const { findCollector } = await import('../client/running-collector.ts');

  const collector = await findCollector(config);
  const url = collector?.url ?? null;
  const port = config.url === null ? await checkPort(config, url) : [];
  const opened = await openLedgerClient(terminal).catch(damageOf);
  if ('state' in opened) return [...port, opened];
  try {
    return [
      ...(await checkCollector(url, opened)),
      ...port,
      ...(await checkViews(opened)),
      ...(await checkDeadLetters(opened)),
    ];
  } catch (error) {
    return [...port, strangerOf(error)];
  } finally {
    await opened.close();
  }
}

/** A store that cannot even be opened is a finding, too. */
function damageOf(error: unknown): Finding {
  if (error instanceof LedgerError && error.code === 'store_damaged')
    return { check: 'store', state: 'bad', detail: error.message };
  throw error;
}

/** Another program answers at the address that the user named. */
function strangerOf(error: unknown): Finding {
  if (error instanceof LedgerError && error.code === 'collector_unproven')
    return { check: 'collector', state: 'bad', detail: error.message };
  throw error;
}

function print(findings: readonly Finding[], json: boolean, terminal: Terminal): void {
  if (json) {
    terminal.printJson({ findings });
    return;
  }
  const columns: Column<Finding>[] = [
    { title: 'check', align: 'left', dropOrder: 0, cell: (finding) => finding.check },
    {
      title: '',
      align: 'left',
      dropOrder: 0,
      cell: (finding) => ({ good: 'ok', note: '-', bad: 'BAD' })[finding.state],
    },
    { title: 'finding', align: 'left', dropOrder: 0, cell: (finding) => finding.detail },
  ];
  printAnswer(terminal, { body: [table({ columns, rows: findings })], wide: true });
}
