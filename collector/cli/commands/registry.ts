/** Every command there is. The one line of registration that a new one needs. */
import type { CliCommand } from '../command.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { importCommand } from './import.ts';
import { rebuildCommand } from './rebuild.ts';
import { reconcileCommand } from './reconcile.ts';
import { rejectedCommand } from './rejected.ts';
import { reportCommand } from './report.ts';
import { repriceCommand } from './reprice.ts';
import { sessionsCommand } from './sessions.ts';
import { startCommand } from './start.ts';

export const commands: readonly CliCommand[] = [
  startCommand,
  reportCommand,
  sessionsCommand,
  repriceCommand,
  importCommand,
  reconcileCommand,
  rebuildCommand,
  rejectedCommand,
  doctorCommand,
  demoCommand,
];
