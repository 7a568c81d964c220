/** The manual page, in roff: `pi-ledger completion man > pi-ledger.1`. */
import type { CommandShape } from './shape.ts';

export function writeManual(program: CommandShape, version: string): string {
  return [
    `.TH PI-LEDGER 1 "" "pi-ledger ${version}"`,
    '.SH NAME',
    `pi\\-ledger \\- ${text(program.description)}`,
    '.SH SYNOPSIS',
    '.B pi\\-ledger',
    '[\\fIcommand\\fR] [\\fIoptions\\fR]',
    '.SH COMMANDS',
    ...program.commands.flatMap(writeSection),
    '.SH EXIT STATUS',
    '0 success, 1 failure, 2 usage error.',
    '.SH ENVIRONMENT',
    ...entry('PI_LEDGER_HOME', 'where the ledger is kept; ~/.pi-ledger without it'),
    ...entry('PI_LEDGER_URL, PI_LEDGER_TOKEN', 'the collector of another machine'),
    ...entry('NO_COLOR, FORCE_COLOR', 'no colours, or colours also in a pipe'),
  ].join('\n');
}

function writeSection(command: CommandShape): readonly string[] {
  const name = command.path.join(' ');
  return [
    `.SS ${text(`pi-ledger ${name} ${command.usage}`)}`,
    text(command.description),
    ...command.options.flatMap(({ flags, description }) => entry(flags, description)),
    ...command.examples.flatMap(([line, what]) => ['.PP', text(what), '.RS', text(line), '.RE']),
    ...command.commands.flatMap(writeSection),
  ];
}

function entry(name: string, description: string): readonly string[] {
  return ['.TP', `\\fB${text(name)}\\fR`, text(description)];
}

/** A line that begins with a dot would be a request. */
function text(plain: string): string {
  return plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1');
}
