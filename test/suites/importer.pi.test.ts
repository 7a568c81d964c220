import { pi } from '../../collector/importers/pi/importer.ts';
import { recordedSessions } from '../collector/importers/support/imports.ts';
import { sessionFiles } from '../extension/support/sessions.ts';
import { sessionImporterSuite } from './importer.ts';

sessionImporterSuite({
  importer: pi,
  recordings: {
    directory: recordedSessions,
    files: sessionFiles.filter(({ host }) => host.startsWith('pi')),
  },
});
