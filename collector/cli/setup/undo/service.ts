/** Stops what `init` runs in the background, then any collector of this home. */
import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readCollectorFile } from '../../../process/collector-file.ts';
import { findManager } from '../service/find-manager.ts';
import type { SetupStep } from '../task.ts';
import { collectorUrl, hasStopped } from '../wait-for-collector.ts';

export const removeService: SetupStep = async ({ terminal, record, say, warn }) => {
  const { service } = record.done();
  const manager = findManager(terminal.env);
  if (service === null) return [];
  const { name, file } = service;
  return [
    {
      topic: 'service',
      would: `stop it and remove ${file}`,
      question: `stop ${name} and remove it?`,
      refused: `stays: ${name}`,
      async act() {
        const failed =
          manager === null ? 'there is no manager of services' : await manager.stop(name);
        if (failed !== null) {
          warn('service', `not stopped (${name}): ${failed}`);
          return false;
        }
        rmSync(file, { force: true });
        await manager?.forget();
        record.note({ service: null });
        say('service', `stopped, and ${file} is removed`);
        return true;
      },
    },
  ];
};

export const removeCopy: SetupStep = async ({ record, say }) => {
  const { copy, service } = record.done();
  // What still runs needs it.
  if (copy === null || service !== null) return [];
  return [
    {
      topic: 'copy',
      would: `remove ${copy}`,
      question: null,
      refused: '',
      async act() {
        rmSync(copy, { recursive: true, force: true });
        record.note({ copy: null });
        say('copy', `${copy} is removed`);
        return true;
      },
    },
  ];
};

/** The Node that `bin/newer-node.mjs` fetched. */
export const removeNode: SetupStep = async ({ config, record, say, warn }) => {
  const folder = join(config.home, 'node');
  // A service that stays runs on it.
  if (record.done().service !== null || fetchedIn(folder).length === 0) return [];
  return [
    {
      topic: 'node',
      would: `remove the Node in ${folder}`,
      question: null,
      refused: '',
      async act() {
        try {
          for (const path of fetchedIn(folder)) rmSync(path, { recursive: true, force: true });
          if (readdirSync(folder).length === 0) rmdirSync(folder);
          say('node', `the Node in ${folder} is removed; the next command fetches it again`);
          return true;
        } catch (error) {
          // Windows keeps what runs, and it runs this.
          warn('node', `stays in ${folder}: ${(error as Error).message}`);
          return false;
        }
      },
    },
  ];
};

/** `PI_LEDGER_HOME` may be a folder of others, with a `node` of theirs. */
function fetchedIn(folder: string): readonly string[] {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder)
    .filter((name) => /^(node-[a-z]+-[a-z\d]+-\d+\.\d+\.\d+|\.fetching-\d+)$/.test(name))
    .map((name) => join(folder, name));
}

export const stopCollector: SetupStep = async ({ config, record, say, warn }) => {
  // A service starts it again.
  if (config.url !== null || record.done().service !== null) return [];
  if ((await collectorUrl(config, 0)) === null) return [];
  const pid = readCollectorFile(config.home)?.pid;
  if (pid === undefined) return [];
  return [
    {
      topic: 'collector',
      would: `stop the collector (pid ${pid})`,
      question: `stop the collector that runs (pid ${pid})?`,
      refused: 'goes on',
      async act() {
        process.kill(pid, 'SIGTERM');
        if (!(await hasStopped(config))) {
          warn('collector', `pid ${pid} did not stop`);
          return false;
        }
        say('collector', `pid ${pid} is stopped`);
        return true;
      },
    },
  ];
};
