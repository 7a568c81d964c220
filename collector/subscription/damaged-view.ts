/** A document of the view cannot be read: the view must be folded anew. */
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
