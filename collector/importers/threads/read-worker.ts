/** A worker thread that reads sources of every agent. */
import { importers } from '../registry.ts';
import { serveReads } from './serve-reads.ts';

await serveReads(importers);
