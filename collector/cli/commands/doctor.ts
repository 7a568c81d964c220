import { join } from 'node:path';
import type { CliCommand, ExitCode, Terminal } from '../command.ts';
import type { Finding } from '../doctor/finding.ts';
import { type Column, renderTable } from '../table.ts';
import { version } from '../version.ts';

/** `pi-ledger doctor`: is the extension installed and for which hosts, is the collector up, what waits, which versions. */
export const doctorCommand: CliCommand = {
  define(program, terminal, exit) {
    program
      .command('doctor')
      .description('is everything in place: extension, collector, spool, versions')
      .option('--json', 'print JSON')
      .action(async (options: { readonly json?: true }) => {
        exit(await examine(options.json === true, terminal));
      });
  },
};

async function examine(json: boolean, terminal: Terminal): Promise<ExitCode> {
  const { loadCollectorConfig } = await import('../../config.ts');
  const { checkCollector } = await import('../doctor/collector.ts');
  const { checkHosts } = await import('../doctor/hosts.ts');
  const { checkSpool } = await import('../doctor/spool.ts');
  const { openLedgerClient } = await import('../ledger-client.ts');
  const { findCollector } = await import('../running-collector.ts');

  const config = loadCollectorConfig(terminal.env);
  // The spool first: a doctor without a running collector opens the store, and that takes in what waits.
  const spool = checkSpool(join(config.home, 'spool'));
  const collector = await findCollector(config);
  const client = await openLedgerClient(terminal);
  try {
    const findings: Finding[] = [
      { check: 'versions', state: 'good', detail: `pi-ledger ${version}, Node ${process.versions.node}` },
      ...checkHosts(terminal.env),
      ...spool,
      ...(await checkCollector(collector?.url ?? null, client)),
    ];
    print(findings, json, terminal);
    return findings.some((finding) => finding.state === 'bad') ? 1 : 0;
  } finally {
    await client.close();
  }
}

function print(findings: readonly Finding[], json: boolean, terminal: Terminal): void {
  if (json) {
    terminal.print(JSON.stringify({ findings }, null, 2));
    return;
  }
  const columns: Column<Finding>[] = [
    { title: 'check', align: 'left', dropOrder: 0, cell: (finding) => finding.check },
    { title: '', align: 'left', dropOrder: 0, cell: (finding) => ({ good: 'ok', note: '-', bad: 'BAD' })[finding.state] },
    { title: 'what was found', align: 'left', dropOrder: 0, cell: (finding) => finding.detail },
  ];
  for (const line of renderTable(columns, findings, null, { width: null, colour: terminal.colour })) {
    terminal.print(line);
  }
}
