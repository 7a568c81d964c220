/** Models whose records have no price: what they cost is not known, and in no amount. */
import { amountOf, dimension, type InsightKind } from '../finding.ts';
import { counted, nameOr } from '../text.ts';

export const unpricedModels: InsightKind = {
  name: 'unpriced-model',
  async find({ byModel, options }) {
    const unpriced = (await byModel()).filter((row) => amountOf(row, 'unpricedRecords') > 0n);
    const models = Map.groupBy(unpriced, (row) =>
      JSON.stringify(['provider', 'model', 'billing'].map((name) => dimension(row, name))),
    );
    return [...models.values()].flatMap((all) => {
      const [first] = all;
      if (first === undefined) return [];
      const [model, provider] = [dimension(first, 'model'), dimension(first, 'provider')];
      const records = all.reduce((sum, row) => sum + amountOf(row, 'unpricedRecords'), 0n);
      return [
        {
          subject: [provider, model],
          billing: dimension(first, 'billing'),
          nanoUsd: null,
          bound: 'exact' as const,
          isChange: false,
          title: `${nameOr(model)} has no price: ${counted(records, 'record')}`,
          reason: `${nameOr(provider)}; what they cost is in no amount`,
          command: ['report', '--model', model, '--by', 'project', ...options],
          rows: all
            .toSorted((left, right) =>
              amountOf(left, 'unpricedRecords') > amountOf(right, 'unpricedRecords') ? -1 : 1,
            )
            .map((row) => ({
              is: 'project' as const,
              id: dimension(row, 'project'),
              nanoUsd: null,
              text: counted(amountOf(row, 'unpricedRecords'), 'record'),
            })),
        },
      ];
    });
  },
};
