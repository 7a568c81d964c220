import { describe, expect, it } from 'vitest';
import { type Observation, systemObserver } from '../../../core/spool/liveness.ts';
import { readOwner } from '../../../core/spool/owner.ts';
import {
  createAnnouncer,
  isPrivateProcess,
  type MutableEnvironment,
  readProcessParent,
} from '../../../extension/live/process-parent.ts';

const self = readOwner();

describe('what a process tells its children', () => {
  it('is read by them, two ids and no more', () => {
    const environment: MutableEnvironment = {};
    expect(readProcessParent(environment)).toBeNull();
    createAnnouncer(environment, self)('01a1fff6-4f10', '1644f83a');
    expect(readProcessParent(environment)).toEqual({
      sessionId: '01a1fff6-4f10',
      key: 'turn:1644f83a',
    });
  });

  it.each([
    '',
    'a',
    'a b c',
    ' a b',
    'a  b',
    'a b\n',
    '../a b',
    `${'a'.repeat(101)} b`,
    'a $(b)',
    'a -b',
  ])('is not believed when it is %j', (value) => {
    expect(readProcessParent({ PI_LEDGER_PARENT: value })).toBeNull();
  });

  it('is written when it changes, and taken back when the turn is not known', () => {
    let writes = 0;
    const environment = new Proxy<MutableEnvironment>(
      {},
      {
        set(target, name, value) {
          writes += 1;
          return Reflect.set(target, name, value);
        },
      },
    );
    const announce = createAnnouncer(environment, self);
    announce('s', 't1');
    announce('s', 't1');
    expect(writes).toBe(1);
    announce('s', null);
    expect([writes, readProcessParent(environment)]).toEqual([2, null]);
    announce('an id that no host gives', 't1');
    expect(readProcessParent(environment)).toBeNull();
  });
});

describe('a process that is paused', () => {
  const told = () => {
    const environment: MutableEnvironment = {};
    createAnnouncer(environment, self)('s', 't1', true);
    return environment;
  };

  it('is private to its children, who take it for no parent', () => {
    expect(isPrivateProcess(told(), () => systemObserver(self))).toBe(true);
    expect(readProcessParent(told())).toBeNull();
  });

  it.each<[Observation, boolean]>([
    [{ state: 'none' }, false],
    [{ state: 'running', startTime: '1' }, false],
    [{ state: 'hidden' }, true],
  ])('is believed until it has certainly ended: %j', (seen, isPrivate) => {
    const place = { machine: 'a'.repeat(12), bootId: 'b'.repeat(32), pidNamespace: '7' };
    const owner = { ...place, pid: 123, startTime: '900' };
    const environment: MutableEnvironment = {};
    createAnnouncer(environment, owner)('s', null, true);
    const observer = { self: { ...owner, pid: 456 }, see: () => seen };
    expect(isPrivateProcess(environment, () => observer)).toBe(isPrivate);
  });

  it('is believed where nobody can tell which process it is', () => {
    const environment = { PI_LEDGER_PARENT: 'private:somebody' };
    expect(isPrivateProcess(environment, () => systemObserver(self))).toBe(true);
    expect(isPrivateProcess({}, () => systemObserver(self))).toBe(false);
  });
});
