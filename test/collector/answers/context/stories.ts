/**
 * Any session: prompts, answers, attempts, reads, images, compactions that keep something or
 * nothing, branches and holes.
 */
import fc from 'fast-check';
import { Story, sizes } from './given.ts';

const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('user' as const), chars: fc.nat(500) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('turn' as const),
      chars: fc.nat(900),
      inputTokens: fc.nat(300),
      cacheReadTokens: fc.nat(9_000),
      reported: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('read' as const),
      chars: fc.nat(2_000),
      path: fc.constantFrom('a.txt', 'b.txt'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('images' as const), images: fc.nat(2) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('compaction' as const),
      kept: fc.nat(6),
      system: fc.nat(100),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('branch' as const), back: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hole' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(60, 900) }),
  },
);

export const anyStory: fc.Arbitrary<Story> = fc
  .array(step, { maxLength: 40, size: 'max' })
  .map((steps) => {
    const story = new Story();
    const ids: string[] = [];
    for (const [index, each] of steps.entries())
      if (tell(story, `e${index}`, ids, each)) ids.push(`e${index}`);
    return story;
  });

type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

/** True when it adds an entry that later ones can name. */
function tell(story: Story, id: string, ids: readonly string[], each: Step): boolean {
  switch (each.kind) {
    case 'user':
      story.user(id, each.chars);
      return true;
    case 'turn':
      story.turn(id, each.reported ? each : { reported: false, inputTokens: 0 }, each.chars);
      return true;
    case 'read':
      story.read(id, each.path, each.chars);
      return true;
    case 'images':
      story.entry('pi.message.appended.v1', id, {
        role: 'custom_message',
        sizes: sizes({ images: each.images }),
      });
      return true;
    case 'compaction': {
      const kept = {
        firstKeptEntryId: ids.at(-1 - each.kept) ?? null,
        sizes: sizes({ textChars: 80, otherChars: each.system }),
      };
      story.compaction(id, { tokensBefore: 9_000, ...kept });
      return true;
    }
    case 'branch':
      story
        .goTo(ids.at(-1 - each.back) ?? null)
        .entry('pi.branch.summarized.v1', id, { sizes: sizes({ textChars: 90 }) });
      return true;
    case 'hole':
      story.hole(`hole ${id}`);
      return false;
    case 'wait':
      story.wait(each.seconds);
      return false;
  }
}
