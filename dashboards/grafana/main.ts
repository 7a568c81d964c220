/** Writes the files of dashboards and alerts: `npm run dashboards`. Tests compare them. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { madeAlertFiles } from './alerts/all.ts';
import { madeFiles } from './files.ts';

for (const { path, text } of [...madeFiles(), ...madeAlertFiles()])
  writeFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), text);
