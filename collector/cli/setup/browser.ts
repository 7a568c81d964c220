type Environment = Readonly<Record<string, string | undefined>>;

/** What shows an address in this person's browser; null: nobody sees it here. */
export function browserCommand(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): readonly string[] | null {
  if (env.SSH_CONNECTION || env.SSH_TTY) return null;
  if (platform === 'darwin') return ['open'];
  // Not `start`: the shell that has it would read the address.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : null;
}
