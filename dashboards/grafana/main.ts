/** Writes the files of the dashboards: `npm run dashboards`. A test compares them. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { madeFiles } from './files.ts';

for (const { path, text } of madeFiles())
  writeFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), text);
