/** One collector with its store in SQLite, and agents on the same machine. */
import { join } from 'node:path';
import { canMount, mountSmallDisk } from '../../../test/hosts/support/machine/disks.ts';
import { startFaultProxy } from '../../../test/support/fault-proxy.ts';
import { createProgram } from './program.ts';
import { createToken } from './token.ts';
import { programsVictim } from './victims.ts';
import { isPost, type OpenWorld } from './world.ts';

export const diskBytes = 256 * 1024 * 1024;

export const openEmbedded: OpenWorld = async ({ directory }) => {
  const home = join(directory, 'home');
  const disk = canMount() ? mountSmallDisk(home, diskBytes) : null;
  const unmount = (): void => disk?.unmount();
  process.prependOnceListener('exit', unmount);
  const front = await startFaultProxy({ port: 0, isRequest: isPost });
  const collector = createProgram({
    ...{ name: 'collector', home, env: {}, clockFile: join(directory, 'collector.clock') },
    onListening: (port) => front.retarget(port),
  });
  await collector.start();
  const token = await createToken(collector);
  return {
    victims: [programsVictim('collector', 1, true, [{ program: collector, door: front }])],
    programs: [collector],
    readers: [collector],
    ...{ proxies: [front], fronts: [front], disk },
    agents: { home, token },
    ...{ readsSpool: true, isAckInLog: true },
    // As the benchmark `soak` has it.
    residentBytesMax: 500e6,
    async stop() {
      await collector.kill();
      await front.close();
      unmount();
      process.off('exit', unmount);
    },
  };
};
