/** A worker thread in which the toy is registered, too. */
import { importers } from '../../../collector/importers/registry.ts';
import { serveReads } from '../../../collector/importers/threads/serve-reads.ts';
import { toy } from './importer/importer.ts';

await serveReads([...importers, toy]);
