import { openLaneLog } from '../../mongodb/support/lane-log.ts';
import { appendForEver } from './append-for-ever.ts';

const [uri = '', start = '1'] = process.argv.slice(2);
await appendForEver(await openLaneLog(uri), Number(start));
