/**
 * Ends this process with those that run it: npm, and an older Node. A signal to npm ends the shell
 * that it runs commands in, and no more; a SIGKILL not even that. Plain JavaScript for Node 20 and
 * newer.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A variable that names the process which runs this again on another Node. No setting. */
export const runBy = '_PI_LEDGER_RUN_BY';

const lookEachMs = 500;

/** Whoever puts the command into the background in a script of npm wants it to go on. */
const byNpm = /^['"]?pi-ledger['"]?(?: [^&]*)?$/.test(process.env.npm_lifecycle_script ?? '');

export function endWithParents() {
  const parent = process.ppid;
  if (!byNpm && process.env[runBy] !== String(parent)) return;
  const npm = npmAbove(parent);
  const looking = setInterval(() => {
    if (process.ppid === parent && (npm === null || isRunning(npm))) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
  }, lookEachMs);
  looking.unref();
}

/** npm, where a shell of it stands between; null where it is the parent, or nobody can tell. */
function npmAbove(parent) {
  if (process.platform === 'win32') return null;
  try {
    const [name, above] = nameAndParent(parent);
    return /^-?(?:.*\/)?(?:sh|dash|bash|ash|ksh|zsh|busybox)$/.test(name) ? Number(above) : null;
  } catch {
    return null;
  }
}

function nameAndParent(pid) {
  if (process.platform === 'linux')
    return /\((.*)\) \S+ (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')).slice(1);
  const said = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], { encoding: 'utf8' });
  const [, above, name] = /^\s*(\d+)\s+(.*)$/m.exec(said);
  return [name.trim(), above];
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
