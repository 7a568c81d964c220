/**
 * Says before a lane begins what this machine cannot do, so that what is skipped for that is no
 * surprise at its end.
 */
import type { TestProject } from 'vitest/node';
import { canMount } from '../hosts/support/machine/disks.ts';
import { isLocalBrokerPossible } from './kafka/local-broker.ts';
import { whyNoLocalServer } from './mongodb/local-server.ts';

/** Lanes with tests that kill a database, or a broker. */
const killing: Readonly<Record<string, readonly ('database' | 'broker')[]>> = {
  mongodb: ['database'],
  faults: ['database', 'broker'],
};

export default function sayWhatLacks({ name }: Pick<TestProject, 'name'>): void {
  for (const what of lacksOf(name)) console.log(`lane ${name}: ${what}`);
}

function lacksOf(lane: string): readonly string[] {
  const kills = killing[lane] ?? [];
  const why = kills.includes('database') ? whyNoLocalServer(process.env) : null;
  return [
    ...(canMount() ? [] : ['nothing is tried on a full disk: no file system can be mounted here']),
    ...(why === null ? [] : [`no database is killed: ${why}`]),
    ...(kills.includes('broker') && !isLocalBrokerPossible()
      ? ['no broker is killed: the local one needs Java and Maven']
      : []),
  ];
}
