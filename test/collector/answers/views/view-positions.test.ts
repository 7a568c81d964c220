import { describe, expect, it } from 'vitest';
import { ofAudits } from '../../../../collector/answers/compactions/audits/changes.ts';
import { viewPositions } from '../../../../collector/answers/views/view-positions.ts';
import type { Generation } from '../../../../collector/views/views.ts';

describe('how far the views are', () => {
  const generation = (id: number, checkpoint: number): Generation => {
    return { id, version: 1, settings: '', checkpoint };
  };

  it('is told of each part of the log', async () => {
    const parts = [generation(1, 10), generation(2, 20)];
    const live = async () => ({ ...generation(9, 99), parts });
    expect(await viewPositions({ live } as never, ofAudits)).toEqual({
      generations: '[[1,2],[1,2],[1,2]]',
      parts: [
        [10, 10, 10],
        [20, 20, 20],
      ],
    });
  });

  it('is not known before all of them are there', async () => {
    const live = async ({ name }: { name: string }) =>
      name === 'context' ? null : generation(1, 1);
    expect(await viewPositions({ live } as never, ofAudits)).toBeNull();
  });
});
