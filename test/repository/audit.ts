/**
 * `npm run audit`: known vulnerabilities in what runs in production. Exit code 1: there are some.
 * Where the registry has no such list or does not answer, it says so and goes on: CI must not
 * depend on that.
 */
import { spawnSync } from 'node:child_process';
import { auditOutcome } from './audit-outcome.ts';

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  encoding: 'utf8',
  ...{ maxBuffer: 64 << 20, timeout: 60_000 },
});
const { code, says } = auditOutcome(stdout ?? '');
console.log(`audit: ${says}`);
process.exitCode = code;
