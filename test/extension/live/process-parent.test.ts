import { describe, expect, it } from 'vitest';
import {
  createAnnouncer,
  type MutableEnvironment,
  readProcessParent,
} from '../../../extension/live/process-parent.ts';

describe('what a process tells its children', () => {
  it('is read by them, two ids and no more', () => {
    const environment: MutableEnvironment = {};
    expect(readProcessParent(environment)).toBeNull();
    createAnnouncer(environment)('01a1fff6-4f10', '1644f83a');
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
    const announce = createAnnouncer(environment);
    announce('s', 't1');
    announce('s', 't1');
    expect(writes).toBe(1);
    announce('s', null);
    expect([writes, readProcessParent(environment)]).toEqual([2, null]);
    announce('an id that no host gives', 't1');
    expect(readProcessParent(environment)).toBeNull();
  });
});
