/**
 * Loaded into a process before its own code (`--import`): its wall clock is that of the machine
 * plus the milliseconds in the file named by FAULTS_CLOCK, which the harness changes. Timers and
 * `performance` are not moved, as when an administrator or NTP sets a clock.
 */
import { readFileSync } from 'node:fs';

const path = process.env.FAULTS_CLOCK ?? '';
const lookEveryMs = 50;
const MachineDate = Date;
let offsetMs = 0;

function look(): void {
  try {
    offsetMs = Number(readFileSync(path, 'utf8')) || 0;
  } catch {
    offsetMs = 0; // no jump yet
  }
}

const nowMs = (): number => MachineDate.now() + offsetMs;

globalThis.Date = new Proxy(MachineDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [nowMs()] : args, newTarget),
  apply: () => new MachineDate(nowMs()).toString(),
  get: (target, key) => (key === 'now' ? nowMs : Reflect.get(target, key)),
});

if (path !== '') {
  look();
  setInterval(look, lookEveryMs).unref();
}
