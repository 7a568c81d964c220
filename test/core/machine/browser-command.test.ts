import { expect, it } from 'vitest';
import { browserCommand } from '../../../core/machine/browser-command.ts';

it.each([
  ['linux', {}, null],
  ['linux', { DISPLAY: ':0' }, ['xdg-open']],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open']],
  ['linux', { DISPLAY: ':0', SSH_CONNECTION: '::1 1 ::1 22' }, null],
  ['darwin', {}, ['open']],
  ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler']],
] as const)('a browser on %s with %j: %j', (platform, env, command) => {
  expect(browserCommand(env, platform)).toEqual(command);
});
