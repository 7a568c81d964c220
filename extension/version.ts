/**
 * The extension's version, as events report it. A test keeps it equal to package.json; reading that
 * file would slow every host start.
 */
export const producerVersion = '0.1.0';
