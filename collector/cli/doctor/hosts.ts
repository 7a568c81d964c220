import { lookAtHosts } from '../../process/hosts/hosts.ts';
import type { DoctorFinding } from './finding.ts';

/** Is the extension installed, and in which hosts? */
export function checkHosts(env: Readonly<Record<string, string | undefined>>): DoctorFinding[] {
  const hosts = lookAtHosts(env);
  const findings = hosts.map(({ host, state, detail }) => ({ check: host, state, detail }));
  const used = hosts.filter(({ isUsed }) => isUsed);
  const isNowhere = used.length > 0 && used.every(({ install }) => install !== null);
  const isInOmp = used.some(({ host, install }) => host === 'omp' && install === null);
  return [...findings, ...(isInOmp ? [unseenFinding] : []), ...(isNowhere ? [setUpFinding] : [])];
}

/** Bun's HTTP client tells nothing (docs/accounting.md, Requests by packages). */
const unseenFinding: DoctorFinding = {
  check: 'requests',
  state: 'note',
  detail: 'requests that packages send beside the session cannot be seen in omp, which runs on Bun',
};

const setUpFinding: DoctorFinding = {
  check: 'setup',
  state: 'note',
  detail: 'no agent has the extension yet: `pi-ledger init` sets everything up',
};
