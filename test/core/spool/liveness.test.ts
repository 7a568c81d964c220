import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  canSee,
  judgeLiveness,
  type Observation,
  type Observer,
  systemObserver,
} from '../../../core/spool/liveness.ts';
import { readOwner, type SpoolOwner } from '../../../core/spool/owner.ts';
import { eventually } from '../../support/eventually.ts';
import { ownerOf } from './support/places.ts';

const self = ownerOf(1);
const witnessOf = (observation: Observation, observer: SpoolOwner = self): Observer => ({
  self: observer,
  see: () => observation,
});
const running = (startTime: string): Observation => ({ state: 'running', startTime });
const never: Observer = {
  self,
  see: () => {
    throw new Error('a pid of another place says nothing here');
  },
};

describe('whether an owner is alive', () => {
  it('takes a process with the same start time for alive', () => {
    expect(judgeLiveness(ownerOf(7), witnessOf(running('1000')))).toBe('alive');
  });

  it('takes a missing process for dead', () => {
    expect(judgeLiveness(ownerOf(7), witnessOf({ state: 'none' }))).toBe('dead');
  });

  it('takes a pid that now belongs to another process for dead', () => {
    expect(judgeLiveness(ownerOf(7), witnessOf(running('2000')))).toBe('dead');
  });

  it('is unknown for a hidden process', () => {
    expect(judgeLiveness(ownerOf(7), witnessOf({ state: 'hidden' }))).toBe('unknown');
  });

  it('is unknown in another pid namespace, whose pids are not checked', () => {
    expect(judgeLiveness(ownerOf(7, { pidNamespace: '4026532999' }), never)).toBe('unknown');
    expect(judgeLiveness(ownerOf(7, { pidNamespace: null }), never)).toBe('unknown');
  });

  it('takes an owner from before a reboot of this machine for dead', () => {
    expect(judgeLiveness(ownerOf(7, { bootId: 'c'.repeat(32) }), never)).toBe('dead');
    expect(
      judgeLiveness(ownerOf(7, { bootId: 'c'.repeat(32), pidNamespace: '4026532999' }), never),
    ).toBe('dead');
  });

  it('is unknown for another machine that shares the home directory', () => {
    const bootId = 'c'.repeat(32);
    expect(judgeLiveness(ownerOf(7, { bootId, machine: 'dddddddddddd' }), never)).toBe('unknown');
    expect(judgeLiveness(ownerOf(7, { bootId, machine: null }), never)).toBe('unknown');
    expect(
      judgeLiveness(ownerOf(7, { bootId }), { ...never, self: ownerOf(1, { machine: null }) }),
    ).toBe('unknown');
  });

  it('without boot ids and namespaces, judges by pid; a pid in use proves no life', () => {
    const place = { bootId: null, pidNamespace: null };
    const mac = ownerOf(1, place);
    expect(judgeLiveness(ownerOf(7, place), witnessOf({ state: 'none' }, mac))).toBe('dead');
    expect(judgeLiveness(ownerOf(7, place), witnessOf({ state: 'hidden' }, mac))).toBe('unknown');
    expect(
      judgeLiveness(ownerOf(7, { ...place, machine: 'dddddddddddd' }), { ...never, self: mac }),
    ).toBe('unknown');
    expect(
      judgeLiveness(ownerOf(7, { ...place, machine: null }), {
        ...never,
        self: ownerOf(1, { ...place, machine: null }),
      }),
    ).toBe('unknown');
  });

  it('is seen by a reader in the same place only', () => {
    expect(canSee(ownerOf(1), ownerOf(2))).toBe(true);
    expect(canSee(ownerOf(1), ownerOf(2, { pidNamespace: '4026532999' }))).toBe(false);
    expect(canSee(ownerOf(1), ownerOf(2, { bootId: 'c'.repeat(32) }))).toBe(false);
  });
});

describe('whether a real process is alive', () => {
  it('sees this process alive, and dead under another start time', () => {
    const own = readOwner();
    const observer = systemObserver(own);
    const expected = process.platform === 'linux' ? ['alive', 'dead'] : ['unknown', 'unknown'];
    expect([
      judgeLiveness(own, observer),
      judgeLiveness({ ...own, startTime: '1' }, observer),
    ]).toEqual(expected);
  });

  it('sees a process end', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      stdio: 'ignore',
    });
    const owner = { ...readOwner(), pid: child.pid ?? 0, startTime: '1' };
    const observer = systemObserver(readOwner());
    expect(observer.see(owner.pid).state).not.toBe('none');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(judgeLiveness(owner, observer)).toBe('dead');
  });

  it.runIf(process.platform === 'linux')(
    'takes a zombie for dead: nobody has waited for it, but it writes no more',
    async () => {
      // The shell starts a child and becomes a program that never waits for it.
      const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 900'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      onTestFinished(() => void parent.kill('SIGKILL'));
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(line.toString());
      await eventually(() => expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /));
      expect(systemObserver(readOwner()).see(pid)).toEqual({ state: 'none' });
    },
  );
});
