import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { createFamilyFiles } from '../../../../collector/cli/exports/openmetrics/history.ts';
import { temporaryDirectory } from '../../support/directory.ts';

afterEach(() => void vi.unstubAllEnvs());

it('names the temporary folder that cannot be used', async () => {
  const missing = join(temporaryDirectory(), 'missing');
  vi.stubEnv('TMPDIR', missing);
  await expect(createFamilyFiles()).rejects.toThrow(
    `The temporary folder ${missing} (TMPDIR) cannot be used: there is no such file or folder.`,
  );
});
