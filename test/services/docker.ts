/** Whether containers can be started here. */
import { execFileSync } from 'node:child_process';

const askMsMax = 5_000;

/** The client alone is not enough: the daemon must answer. */
export function isDockerThere(): boolean {
  try {
    execFileSync('docker', ['info'], { stdio: 'ignore', timeout: askMsMax });
    return true;
  } catch {
    return false;
  }
}
