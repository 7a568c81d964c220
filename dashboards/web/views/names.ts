/** The views, in the order of the navigation. Each but the overview has its name as path. */
export const viewNames = [
  'overview',
  'projects',
  'sessions',
  'compactions',
  'models',
  'budgets',
  'health',
] as const;

/** The rows of one insight are a view that links alone lead to. */
export const allViewNames = [...viewNames, 'insights'] as const;

/** `nowhere`: an address that no view has. */
export type ViewName = (typeof allViewNames)[number] | 'nowhere';
