/** One value for each model of each provider, created when first requested. */
interface Named {
  readonly provider: string;
  readonly model: string;
}

export function createByModel<Value>(make: (named: Named) => Value): (named: Named) => Value {
  const known = new Map<string, Map<string, Value>>();
  return (named) => {
    const models = known.get(named.provider) ?? new Map<string, Value>();
    known.set(named.provider, models);
    const value = models.get(named.model) ?? make(named);
    models.set(named.model, value);
    return value;
  };
}
