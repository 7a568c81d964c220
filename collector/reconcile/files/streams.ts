/** What event streams of hosts count for. Pure. */
import type { PrivateParts } from './private-files.ts';
import type { Stream } from './session-files.ts';

/** Answers of a period that are not private. */
export function streamsWithin(
  streams: readonly Stream[],
  { floorMs, latestMs }: { readonly floorMs: number; readonly latestMs: number },
  { isWhole }: Pick<PrivateParts, 'isWhole'>,
): readonly Stream[] {
  return streams
    .filter(({ file }) => !isWhole(file.path))
    .map(({ file, answers }) => {
      const within = [...answers].filter(([, askedAtMs]) => {
        const timeMs = askedAtMs ?? file.header.timeMs;
        return timeMs >= floorMs && timeMs <= latestMs;
      });
      return { file, answers: new Map(within) };
    });
}
