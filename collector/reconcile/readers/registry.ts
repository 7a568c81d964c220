/** The agents whose sessions are compared. A new one is a folder here and a line in the list. */
import { omp } from './omp/reader.ts';
import { pi } from './pi/reader.ts';
import type { AgentReader } from './reader.ts';

export const readers: readonly AgentReader[] = [pi, omp];
