/** Every command; those that ask the ledger stand with their question. A new one is a line here. */

import { billingCommand } from '../../answers/billing/command.ts';
import { budgetsCommand } from '../../answers/budgets/command.ts';
import { compactionsCommand } from '../../answers/compactions/command.ts';
import { contextCommand } from '../../answers/context/command.ts';
import { rejectedCommand } from '../../answers/dead-letters/command.ts';
import { digestCommand } from '../../answers/digest/command.ts';
import { insightsCommand } from '../../answers/insights/command.ts';
import { labelCommand } from '../../answers/labels/command.ts';
import { modelsCommand } from '../../answers/models/command.ts';
import { overviewCommand } from '../../answers/overview/command.ts';
import { quotaCommand } from '../../answers/quota/command.ts';
import { rebuildCommand } from '../../answers/rebuild/command.ts';
import { reconcileCommand } from '../../answers/reconciliation/command.ts';
import { repriceCommand } from '../../answers/reprice/command.ts';
import { requestsCommand } from '../../answers/requests/command.ts';
import { sealCommand } from '../../answers/seal/command.ts';
import { sessionsCommand } from '../../answers/sessions/command.ts';
import { tokenCommand } from '../../answers/tokens/command.ts';
import { toolsCommand } from '../../answers/tools/command.ts';
import { periodCommands, reportCommand } from '../../answers/usage/command.ts';
import { withdrawCommand } from '../../answers/withdrawals/command.ts';
import type { CliCommand } from '../command.ts';
import { completionCommand } from '../completion/command.ts';
import { composeInitCommand } from './compose-init.ts';
import { copyCommand } from './copy.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { exportCommand } from './export.ts';
import { exportOpenMetricsCommand } from './export-openmetrics.ts';
import { exportOtelCommand } from './export-otel.ts';
import { importCommand } from './import.ts';
import { importEventsCommand } from './import-events.ts';
import { initCommand } from './init.ts';
import { migrateCommand } from './migrate.ts';
import { startCommand } from './start.ts';
import { topicsCommand } from './topics.ts';
import { uninstallCommand } from './uninstall.ts';

interface Group {
  readonly heading: string;
  readonly commands: readonly CliCommand[];
}

/** In the order of the help: what most people need stands first. */
export const groups: readonly Group[] = [
  {
    heading: 'What most people need:',
    commands: [
      overviewCommand,
      reportCommand,
      sessionsCommand,
      startCommand,
      initCommand,
      doctorCommand,
    ],
  },
  {
    heading: 'Look:',
    commands: [
      periodCommands,
      insightsCommand,
      digestCommand,
      modelsCommand,
      toolsCommand,
      requestsCommand,
      contextCommand,
      compactionsCommand,
      budgetsCommand,
      quotaCommand,
      repriceCommand,
      reconcileCommand,
    ],
  },
  {
    heading: 'Set:',
    commands: [billingCommand, labelCommand, tokenCommand, withdrawCommand],
  },
  {
    heading: 'Move:',
    commands: [
      importCommand,
      exportCommand,
      exportOpenMetricsCommand,
      exportOtelCommand,
      importEventsCommand,
    ],
  },
  {
    heading: 'Run:',
    commands: [uninstallCommand, demoCommand, composeInitCommand, completionCommand],
  },
];

/** Below `pi-ledger store`: rarely needed. */
export const storeCommands: readonly CliCommand[] = [
  copyCommand,
  migrateCommand,
  rebuildCommand,
  rejectedCommand,
  sealCommand,
  topicsCommand,
];

/** They stood at the top before, and are still understood there. */
export const storeNames: ReadonlySet<string> = new Set(
  storeCommands.flatMap(({ examples }) =>
    Object.keys(examples).map((path) => path.split(' ')[1] ?? path),
  ),
);

export const commands: readonly CliCommand[] = [
  ...groups.flatMap((group) => group.commands),
  ...storeCommands,
];
