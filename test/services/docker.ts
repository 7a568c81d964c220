/** Whether containers can be started here. */
import { execFileSync } from 'node:child_process';
import { waitMsMax } from '../support/bounds.ts';

/** The client alone is not enough: the daemon must answer. */
export function isDockerThere(): boolean {
  try {
    execFileSync('docker', ['info'], { stdio: 'ignore', timeout: waitMsMax });
    return true;
  } catch {
    return false;
  }
}
