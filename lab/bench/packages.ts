/**
 * How much is downloaded and installed: the packages as a release packs them, which depend on no
 * other, and the page as it is sent.
 */
import { packInto } from '../../test/packages/support/pack.ts';
import { firstScripts, totalBytes } from '../../test/web/support/weight.ts';
import type { Benchmark, Row } from './benchmark.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

/** In kB. */
const max = { collector: 60_000, extension: 100, scripts: 50 };

export const packages: Benchmark = {
  name: 'packages',
  budget:
    `collector, installed: <= ${max.collector / 1_000} MB; ` +
    `extension, packed: <= ${max.extension} kB; ` +
    `JavaScript of the page's first view, gzip: <= ${max.scripts} kB`,
  run: () => withTemporaryDirectory(async (directory) => measure(directory)),
};

function measure(directory: string): readonly Row[] {
  const { collector, extension } = packInto(directory);
  const first = firstScripts();
  const row = (what: string, bytes: number, more: Pick<Row, 'budget' | 'note'> = {}): Row => ({
    what,
    measured: bytes / 1e3,
    unit: 'kB',
    ...more,
  });
  return [
    row('collector, installed', collector.unpackedBytes, {
      budget: { max: max.collector },
      note: `${collector.files.length} files`,
    }),
    row('collector, packed', collector.packedBytes),
    row('extension, installed', extension.unpackedBytes),
    row('extension, packed', extension.packedBytes, { budget: { max: max.extension } }),
    row("JavaScript of the page's first view, gzip", totalBytes(first), {
      budget: { max: max.scripts },
      note: `${first.length} files`,
    }),
  ];
}
