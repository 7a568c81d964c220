type Environment = Readonly<Record<string, string | undefined>>;

/** What shows an address in this person's browser; null: nobody sees it here. */
export function browserCommand(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): readonly string[] | null {
  if (env.SSH_CONNECTION) return null;
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['explorer'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : null;
}
