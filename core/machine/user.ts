/** The name of the user on this machine. */
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';

export function userName(): string {
  const { USER, LOGNAME } = process.env;
  return (accountName() || USER || LOGNAME || nameInPasswd() || 'unknown').slice(0, 500);
}

/** Bun checks only the environment and returns `unknown` if that is empty. */
function accountName(): string | null {
  try {
    const { username } = userInfo();
    return username === 'unknown' ? null : username;
  } catch {
    return null; // a uid without an account, as in containers
  }
}

function nameInPasswd(): string | null {
  try {
    const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
    return (
      lines
        .map((line) => line.split(':'))
        .find(([, , uid]) => uid === String(process.getuid?.()))?.[0] ?? null
    );
  } catch {
    return null; // no such file on this platform
  }
}
