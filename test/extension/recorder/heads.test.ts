import { describe, expect, it } from 'vitest';
import type { CheckedOut } from '../../../core/project/project.ts';
import { drive } from '../support/driven-session.ts';
import { answer } from '../support/fake-session.ts';
import { attribution } from '../support/ledger-machine.ts';

const [first, second] = ['a'.repeat(40), 'b'.repeat(40)];

/** A session in a clone whose HEAD the test moves. */
function inClone() {
  const clone: { head: CheckedOut | null; looks: number } = { head: null, looks: 0 };
  const checkOut = (branch: string, commit: string | null) => {
    clone.head = { project: { ...attribution.project, branch }, commit };
  };
  checkOut('main', first);
  const driven = drive({
    attributor: {
      attribute: () => ({ ...attribution, project: clone.head?.project ?? attribution.project }),
      headOf: () => {
        clone.looks += 1;
        return clone.head;
      },
    },
  });
  const heads = () => {
    driven.process.idle();
    return driven
      .said('pi.head.observed.v1')
      .map(({ project, commit }) => `${project.branch} ${commit?.slice(0, 1)}`);
  };
  return { ...driven, clone, checkOut, heads };
}

describe('what is checked out', () => {
  it('is read after the handler returned, and recorded when it changed', () => {
    const { clone, checkOut, fire, ask, add, heads, said } = inClone();
    expect(clone.looks).toBe(0);
    expect(heads()).toEqual(['main a']);
    expect(said('pi.head.observed.v1')).toEqual([
      {
        project: { name: 'shop', remote: null, branch: 'main' },
        cwd: '/srv/shop',
        machine: 'workbench',
        commit: first,
        afterTurn: false,
      },
    ]);
    ask();
    add(answer('r1'));
    fire('turn_end');
    expect(heads()).toEqual(['main a']);
    checkOut('main', second);
    fire('turn_end');
    expect(heads()).toEqual(['main a', 'main b']);
    checkOut('main', first);
    ask();
    expect(heads()).toEqual(['main a', 'main b', 'main a']);
    const afterTurn = said('pi.head.observed.v1').map((head) => head.afterTurn);
    expect(afterTurn).toEqual([false, true, false]);
  });

  it('attributes the session anew when the branch changed during a run', () => {
    const { checkOut, fire, ask, heads, said } = inClone();
    expect(heads()).toEqual(['main a']);
    ask();
    checkOut('feature/x', first);
    fire('turn_end');
    expect(heads()).toEqual(['main a', 'feature/x a']);
    const branches = () => said('pi.session.attributed.v1').map(({ project }) => project.branch);
    expect(branches()).toEqual(['main', 'feature/x']);
    fire('agent_settled');
    fire('agent_start');
    expect(branches()).toEqual(['main', 'feature/x']);
  });

  it('is seen with each prompt, and once more when the session ends', () => {
    const { checkOut, ask, fire, heads } = inClone();
    expect(heads()).toEqual(['main a']);
    checkOut('main', second);
    ask();
    expect(heads()).toEqual(['main a', 'main b']);
    checkOut('main', null);
    fire('session_shutdown', { reason: 'quit' });
    expect(heads().at(-1)).toBe('main undefined');
  });

  it('is recorded once the spool takes it, and never where it is not known', () => {
    const { clone, machine, fire, heads } = inClone();
    machine.isFull = true;
    expect(heads()).toEqual([]);
    machine.isFull = false;
    fire('turn_end');
    expect(heads()).toEqual(['main a']);
    clone.head = null;
    fire('turn_end');
    expect(heads()).toEqual(['main a']);
  });

  it('fails for itself alone', () => {
    const { process, said } = drive({
      attributor: {
        attribute: () => attribution,
        headOf: () => {
          throw new Error('hostile');
        },
      },
    });
    process.idle();
    expect(process.drops.recordFailed).toBe(1);
    expect(said('pi.session.attributed.v1')).toHaveLength(1);
  });
});
