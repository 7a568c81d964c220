import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  drawTree,
  type TreeSession,
  treesOf,
} from '../../../../../collector/answers/sessions/print/tree.ts';
import { sumFigures } from '../../../../../collector/answers/spend/sum-figures.ts';

interface SessionOptions {
  readonly id: string;
  readonly parent?: string;
  readonly root?: string;
  readonly startedAt?: string;
}

const session = ({
  id,
  parent,
  root = 'root',
  startedAt = '2026-11-22',
}: SessionOptions): TreeSession => ({
  ...sumFigures([]),
  id,
  parentSessionId: parent ?? null,
  rootSessionId: root,
  startedAt,
  records: 1,
  meteredNanoUsd: '10',
});

const asItIs = (id: string) => id;

const draw = (roots: readonly string[], ...sessions: SessionOptions[]) =>
  treesOf(roots, sessions.map(session)).flatMap((tree) =>
    drawTree(tree, asItIs).map(({ label, figures }) => `${label} = ${figures.meteredNanoUsd}`),
  );

describe('a session tree', () => {
  it('has its subtotal at the root, the root itself first, and then its children by start', () => {
    expect(
      draw(
        ['root'],
        { id: 'late', parent: 'root', startedAt: '2026-11-24' },
        { id: 'early', parent: 'root', startedAt: '2026-11-23' },
        { id: 'deep', parent: 'early' },
        { id: 'deeper', parent: 'deep' },
        { id: 'below late', parent: 'late' },
        { id: 'root' },
      ),
    ).toEqual([
      'root, 6 sessions = 60',
      '├─ itself = 10',
      '├─ early = 10',
      '│  └─ deep = 10',
      '│     └─ deeper = 10',
      '└─ late = 10',
      '   └─ below late = 10',
    ]);
  });

  it('of one session is one line', () => {
    expect(draw(['root'], { id: 'root' })).toEqual(['root = 10']);
  });

  it('says so if its root is not among the sessions', () => {
    expect(draw(['root'], { id: 'a', parent: 'root' }, { id: 'b', parent: 'root' })).toEqual([
      'root (not listed), 2 sessions = 20',
      '├─ a = 10',
      '└─ b = 10',
    ]);
  });

  it('comes in the requested order, each once', () => {
    expect(draw(['y', 'x', 'y'], { id: 'x', root: 'x' }, { id: 'y', root: 'y' })).toEqual([
      'y = 10',
      'x = 10',
    ]);
  });

  it('ends even if parents form a circle', () => {
    expect(
      draw(['a'], { id: 'a', parent: 'b', root: 'a' }, { id: 'b', parent: 'a', root: 'a' }),
    ).toEqual(['a, 2 sessions = 20', '├─ itself = 10', '└─ b = 10']);
  });

  it('puts sessions without a listed parent below the root: lines add up to the total', () => {
    expect(
      draw(['root'], { id: 'root' }, { id: 'a', parent: 'ignored' }, { id: 'b', parent: 'a' }),
    ).toEqual(['root, 3 sessions = 30', '├─ itself = 10', '└─ a = 10', '   └─ b = 10']);
  });

  it('shows only the nearest branches of a deep chain, which keeps figures on the screen', () => {
    const chain = Array.from({ length: 12 }, (_, index) => ({
      id: `s${index}`,
      parent: index === 0 ? 'root' : `s${index - 1}`,
    }));
    const lines = draw(['root'], { id: 'root' }, ...chain);
    expect(lines.at(-4)).toBe(`${' '.repeat(24)}└─ s8 = 10`);
    expect(lines.at(-1)).toBe(`…${' '.repeat(23)}└─ s11 = 10`);
  });

  it('shows every session once, whatever its shape and whoever is left out of it', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 40 }), fc.nat(5), (choices, leftOut) => {
        const all = choices.map((choice, index) => ({
          id: `s${index}`,
          parent: index === 0 ? 'root' : `s${choice % index}`,
        }));
        const sessions = all.filter((_, index) => index !== leftOut);
        const lines = treesOf(['root'], [{ id: 'root' }, ...sessions].map(session)).flatMap(
          (tree) => drawTree(tree, asItIs),
        );
        const shown = lines.flatMap((line) => (line.session === null ? [] : [line.session.id]));
        expect(shown.toSorted()).toEqual(['root', ...sessions.map(({ id }) => id)].toSorted());
      }),
    );
  });
});
