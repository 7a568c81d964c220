import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { producerVersion } from '../../extension/version.ts';

it('the version that events carry is that of the package', () => {
  const manifest = JSON.parse(
    readFileSync(new URL('../../extension/package.json', import.meta.url), 'utf8'),
  ) as { version: string };
  expect(producerVersion).toBe(manifest.version);
});
