/** The agents whose sessions are imported. A new one is a folder here and a line in the list. */
import type { Importer } from './importer.ts';
import { omp } from './omp/importer.ts';
import { pi } from './pi/importer.ts';

export const importers: readonly Importer[] = [pi, omp];
