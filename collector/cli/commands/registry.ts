/** Every command. A new one needs one line here. */
import type { CliCommand } from '../command.ts';
import { completionCommand } from '../completion/command.ts';
import { billingCommand } from './billing.ts';
import { budgetsCommand } from './budgets.ts';
import { compactionsCommand } from './compactions.ts';
import { composeInitCommand } from './compose-init.ts';
import { contextCommand } from './context.ts';
import { copyCommand } from './copy.ts';
import { demoCommand } from './demo.ts';
import { digestCommand } from './digest.ts';
import { doctorCommand } from './doctor.ts';
import { exportCommand } from './export.ts';
import { exportOpenMetricsCommand } from './export-openmetrics.ts';
import { exportOtelCommand } from './export-otel.ts';
import { importCommand } from './import.ts';
import { importEventsCommand } from './import-events.ts';
import { initCommand } from './init.ts';
import { insightsCommand } from './insights.ts';
import { labelCommand } from './label.ts';
import { migrateCommand } from './migrate.ts';
import { modelsCommand } from './models.ts';
import { quotaCommand } from './quota.ts';
import { rebuildCommand } from './rebuild.ts';
import { reconcileCommand } from './reconcile.ts';
import { rejectedCommand } from './rejected.ts';
import { reportCommand } from './report.ts';
import { repriceCommand } from './reprice.ts';
import { requestsCommand } from './requests.ts';
import { sealCommand } from './seal.ts';
import { sessionsCommand } from './sessions.ts';
import { startCommand } from './start.ts';
import { tokenCommand } from './token.ts';
import { toolsCommand } from './tools.ts';
import { topicsCommand } from './topics.ts';
import { uninstallCommand } from './uninstall.ts';
import { withdrawCommand } from './withdraw.ts';

export const commands: readonly CliCommand[] = [
  startCommand,
  initCommand,
  reportCommand,
  sessionsCommand,
  requestsCommand,
  modelsCommand,
  toolsCommand,
  contextCommand,
  compactionsCommand,
  quotaCommand,
  budgetsCommand,
  insightsCommand,
  digestCommand,
  repriceCommand,
  labelCommand,
  importCommand,
  billingCommand,
  reconcileCommand,
  rebuildCommand,
  exportCommand,
  exportOpenMetricsCommand,
  exportOtelCommand,
  importEventsCommand,
  copyCommand,
  migrateCommand,
  sealCommand,
  rejectedCommand,
  withdrawCommand,
  topicsCommand,
  tokenCommand,
  doctorCommand,
  composeInitCommand,
  uninstallCommand,
  demoCommand,
  completionCommand,
];
