/**
 * A line of output. It is plain text: a style stands beside it, never in it. Of a warning and an
 * error only the word before the colon is coloured.
 */
export type Line = string | { readonly text: string; readonly style: LineStyle };
export type LineStyle = 'dim' | 'bold' | 'warning' | 'error';
