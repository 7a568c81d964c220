import { join } from 'node:path';
import type { Sandbox } from '../host/sandbox.ts';
import { createLedger, type Ledger } from './ledger.ts';

/**
 * A running collector with its own home, as on another machine: it does not read the sandbox's
 * spool, so everything must be sent, with its token.
 */
export async function startRemoteLedger(
  sandbox: Sandbox,
): Promise<{ readonly remote: Ledger; readonly token: string }> {
  const remote = await createLedger(sandbox, {}, join(sandbox.root, 'remote'));
  await remote.start();
  const { stdout } = await remote.run(
    'token',
    'create',
    '--user',
    'ada',
    '--scope',
    'ingest',
    '--json',
  );
  return { remote, token: (JSON.parse(stdout) as { readonly token: string }).token };
}
