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

export type ViewName = (typeof viewNames)[number];
