import { test } from 'vitest';
import { startFakeLlm } from './support/fake-llm.ts';
import { hosts } from './support/hosts.ts';
import { createLedger, extension } from './support/ledger.ts';
import { createSandbox } from './support/sandbox.ts';
import { runPrint } from './support/run-host.ts';
import { readFileSync } from 'node:fs';
const cpu = () => { const f = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' '); return (Number(f[13]) + Number(f[14])) * 10; };
test.each(hosts)('$name', async (host) => {
  const llm = await startFakeLlm();
  const sandbox = createSandbox({ host, llm });
  const ledger = await createLedger(sandbox);
  const out: string[] = [];
  for (let i = 0; i < 4; i++) {
    for (const [n, o] of [['bare', {}], ['ext', { extension }]] as const) {
      const c = cpu(); const r = await runPrint(sandbox, { prompt: 'SCN:simple', ...o });
      out.push(`${n} wall ${Math.round(r.wallMs)} cpu ${cpu() - c}`);
    }
  }
  let c = cpu(); const t = performance.now(); await ledger.report(); out.push(`report wall ${Math.round(performance.now() - t)} cpu ${cpu() - c}`);
  console.log(host.name, out.join('; '));
  await sandbox.dispose(); await llm.close();
}, 300000);
