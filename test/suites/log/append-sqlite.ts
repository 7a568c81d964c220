import { openSqliteLog } from '../../../collector/stores/sqlite/log/log.ts';
import { appendForEver } from './append-for-ever.ts';

const [path = '', start = '1'] = process.argv.slice(2);
await appendForEver(openSqliteLog({ path }), Number(start));
