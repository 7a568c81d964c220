import type { Environment } from '../../contract/settings/read.ts';

/**
 * What shows an address in this person's browser: a program and the words before the address, to be
 * started without a shell. Null: nobody sees a browser here.
 */
export function browserCommand(
  environment: Environment,
  platform: NodeJS.Platform,
): readonly [program: string, ...words: readonly string[]] | null {
  if (environment.SSH_CONNECTION || environment.SSH_TTY) return null;
  if (platform === 'darwin') return ['open'];
  // Not `start`: the shell that has it would read the address.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? ['xdg-open'] : null;
}
