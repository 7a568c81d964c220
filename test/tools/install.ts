/** `npm run tools:install`: puts all tools of development into the cache folder of the tests. */
import { toolGroups, toolsOf } from './tools.ts';

for (const group of toolGroups) console.log(`tools, ${group}: ${await toolsOf(group).install()}`);
