/** What the view holds cannot be read: it is to be folded anew. */
export class DamagedViewError extends Error {
  readonly projection: string;

  constructor(projection: string, key: string, cause: unknown) {
    super(
      `The view ${projection} is folded anew: its document ${JSON.stringify(key)} is damaged.`,
      { cause },
    );
    this.name = 'DamagedViewError';
    this.projection = projection;
  }
}
