/**
 * A registry after the release: it has the two packages as packed here, and nothing else. npm and
 * Bun ask it for our scope only (`.npmrc`); everything else comes from this machine's usual
 * registry.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Tarball, Tarballs } from './pack.ts';

export interface Registry {
  /** Writes the `.npmrc` of a home, so that its npm and Bun use this registry. */
  useIn(home: string): void;
  close(): Promise<void>;
}

export async function startRegistry({ collector, extension }: Tarballs): Promise<Registry> {
  const packages = new Map(
    [collector, extension].map((tarball) => [tarball.manifest.name, tarball]),
  );
  const server = createServer(({ url = '' }, answer) => {
    const [name = '', version] = decodeURIComponent(url.slice(1)).split('/-/');
    const tarball = packages.get(name);
    if (tarball === undefined) return void answer.writeHead(404).end('{}');
    if (version !== undefined) return void answer.end(readFileSync(tarball.path));
    sendPackage(answer, tarball, `${address()}/${name}/-/it.tgz`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    useIn: (home) => writeFileSync(join(home, '.npmrc'), `@pi-ledger:registry=${address()}/\n`),
    close: async () => {
      server.closeAllConnections();
      await new Promise<unknown>((resolve) => server.close(resolve));
    },
  };
}

function sendPackage(answer: ServerResponse, tarball: Tarball, url: string): void {
  const { name, version } = tarball.manifest;
  const published = { ...tarball.manifest, dist: { tarball: url, integrity: tarball.integrity } };
  answer.setHeader('content-type', 'application/json');
  answer.end(
    JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: published } }),
  );
}
