/** Scales from amounts to pixels. */
import { nice, ticks } from 'd3-array';

export interface Scale {
  (value: number): number;
  domain(): readonly [from: number, to: number];
  /** Round values within the domain, about as many as asked for. */
  ticks(count: number): readonly number[];
  /** The amount at a pixel. */
  invert(pixel: number): number;
}

type Ends = readonly [from: number, to: number];

/** `niceCount`: the domain is widened to round ends, as for so many ticks. */
export function linearScale(domain: Ends, range: Ends, niceCount?: number): Scale {
  const [from, to] = niceCount === undefined ? domain : nice(...domain, niceCount);
  const [start, end] = range;
  const scale = (value: number) => start + ((value - from) / (to - from)) * (end - start);
  return Object.assign(scale, {
    domain: () => [from, to] as const,
    ticks: (count: number) => ticks(from, to, count),
    invert: (pixel: number) => from + ((pixel - start) / (end - start)) * (to - from),
  });
}

/** What is beyond an end of the domain stands at that end. */
export function logScale([from, to]: Ends, range: Ends): Scale {
  const powers = linearScale([Math.log(from), Math.log(to)], range);
  const scale = (value: number) => powers(Math.log(Math.min(to, Math.max(from, value))));
  return Object.assign(scale, {
    domain: () => [from, to] as const,
    ticks: (count: number) => powers.ticks(count).map(Math.exp),
    invert: (pixel: number) => Math.exp(powers.invert(pixel)),
  });
}
