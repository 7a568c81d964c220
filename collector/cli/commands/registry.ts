/** Every command there is. The one line of registration that a new one needs. */
import type { CliCommand } from '../command.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { rebuildCommand } from './rebuild.ts';
import { rejectedCommand } from './rejected.ts';
import { reportCommand } from './report.ts';
import { sessionsCommand } from './sessions.ts';
import { startCommand } from './start.ts';

export const commands: readonly CliCommand[] = [
  startCommand,
  reportCommand,
  sessionsCommand,
  rebuildCommand,
  rejectedCommand,
  doctorCommand,
  demoCommand,
];
