/** launchd's agents of a user on macOS: `launchctl`. */
import { join } from 'node:path';
import { isWritable, type RunManager, type ServiceManager } from './manager.ts';

export function launchd(home: string, userId: number, run: RunManager): ServiceManager {
  const domain = `gui/${userId}`;
  const fileOf = (service: string) => join(home, 'Library', 'LaunchAgents', `${service}.plist`);
  const failure = async (...words: readonly string[]) => {
    const { isGood, lastLine } = await run('launchctl', ...words);
    return isGood ? null : lastLine || `launchctl ${words.join(' ')} failed`;
  };
  const isKnown = async (service: string) =>
    (await run('launchctl', 'print', `${domain}/${service}`)).isGood;
  const stop = async (service: string) =>
    (await isKnown(service)) ? failure('bootout', `${domain}/${service}`) : null;
  return {
    name: 'launchd',
    fileOf,
    textOf({ service, command, environment }) {
      const texts = [...command, ...Object.entries(environment).flat()];
      return texts.every(isWritable) ? plist({ service, command, environment }) : null;
    },
    lack: () => failure('print', domain),
    isRunning: isKnown,
    // An agent that is there already keeps the file as it was.
    start: async (service) =>
      (await stop(service)) ?? (await failure('bootstrap', domain, fileOf(service))),
    stop,
    forget: async () => undefined,
    logsOf: (service) => `launchctl print ${domain}/${service}`,
  };
}

function plist({ service, command, environment }: Parameters<ServiceManager['textOf']>[0]): string {
  const variables = Object.entries(environment).flatMap(([name, value]) => [
    `      <key>${escaped(name)}</key>`,
    `      <string>${escaped(value)}</string>`,
  ]);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN"' +
      ' "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<!-- Written by pi-ledger init; pi-ledger uninstall removes it. -->',
    '<plist version="1.0">',
    '  <dict>',
    '    <key>Label</key>',
    `    <string>${escaped(service)}</string>`,
    '    <key>ProgramArguments</key>',
    '    <array>',
    ...command.map((word) => `      <string>${escaped(word)}</string>`),
    '    </array>',
    '    <key>EnvironmentVariables</key>',
    '    <dict>',
    ...variables,
    '    </dict>',
    '    <key>RunAtLoad</key>',
    '    <true/>',
    '    <key>KeepAlive</key>',
    '    <dict>',
    '      <key>SuccessfulExit</key>',
    '      <false/>',
    '    </dict>',
    '    <key>Umask</key>',
    '    <integer>63</integer>',
    '  </dict>',
    '</plist>',
    '',
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
