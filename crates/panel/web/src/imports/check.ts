import type { components } from '../api/schema';

/** The result of a check. It becomes `components['schemas']['ImportCheck']` when the schema has it. */
export type ImportCheck = Declared;
export type Column = ImportCheck['columns'][number];
export type ColumnState = Column['state'];
export type Proposal = Column['proposals'][number];
export type Failing = Column['failures'][number];

type Schema = components['schemas']['Import'];

/** An import, with the members that the schema does not have yet. */
export type Import = Omit<Schema, 'counts'> & {
  on_error?: OnError;
  counts: Schema['counts'] & { skipped_cells?: number };
};
export type OnExisting = components['schemas']['OnExisting'];
export type OnError = 'reject_row' | 'skip_cell';

/** A parameter of the request, such as `column` with `E-Mail:email`. */
export interface Parameter {
  name: string;
  value: string;
}

interface Cell {
  line: number;
  code: string;
  message: string;
}

interface Declared {
  encoding: string;
  delimiter: string;
  rows: number;
  blank_rows: number;
  /** Whether an import with these parameters starts. */
  ready: boolean;
  columns: {
    heading: string;
    state: 'given' | 'matched' | 'proposed' | 'conflict' | 'superseded' | 'skipped' | 'unknown';
    target: string | null;
    /** The other columns of a conflict, or those that are imported instead of a superseded column. */
    other_columns: string[];
    format: string | null;
    filled: number;
    empty: number;
    failing: number;
    /** At most three. */
    failures: (Cell & { value: string })[];
    /** The formats of an ambiguous column. */
    proposals: {
      format: string;
      failing: number;
      example?: { line: number; value: string; read_as: string } | null;
    }[];
    /** At most three cells with text. */
    samples: string[];
  }[];
  row_errors: { count: number; examples: Cell[] };
  /** The reasons why an import with these parameters is rejected. */
  problems: { column?: string | null; code: string; message: string }[];
  /** Parameters that read the table in the same way. */
  parameters: Parameter[];
}
