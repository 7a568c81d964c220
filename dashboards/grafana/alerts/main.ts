/** Writes the files of the alerts: `npm run alerts`. A test compares them. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { madeAlertFiles } from './all.ts';

for (const { path, text } of madeAlertFiles())
  writeFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), text);
