export type StepName = 'file' | 'columns' | 'check';

/** The search parameters of the import page: the step of a new import, or the ID of an import. */
export interface ImportSearch {
  step?: StepName;
  id?: string;
}

/** Reads the search parameters and ignores invalid ones. */
export function readImportSearch({ step, id }: Record<string, unknown>): ImportSearch {
  return {
    step: step === 'columns' || step === 'check' ? step : undefined,
    id: typeof id === 'string' && id !== '' ? id : undefined,
  };
}
