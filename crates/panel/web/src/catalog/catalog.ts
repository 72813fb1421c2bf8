import type { Call } from '../components/curl';
import type { Column } from '../components/table';
import type { RowList } from './rows';

export interface Row {
  id: string;
  name: string;
}

export interface Read<It> {
  row: It;
  etag: string;
}

export interface FieldsProps<It, Draft> {
  draft: Draft;
  set: (next: Partial<Draft>) => void;
  faults: Record<string, string>;
  /** The edited row. Absent in the form that creates a row. */
  row: It | undefined;
  readOnly: boolean;
}

/** The name of a text of the catalog's page. */
type Word = 'title' | 'description' | 'create' | 'filter' | 'emptyText' | 'remove' | 'deleteHint';

/** Defines the page of a short list of objects, such as tags: how it reads and changes them. */
export interface Catalog<It extends Row, Draft extends object> {
  words: (key: Word) => string;
  list: RowList<It>;
  call: Call;
  /** A request that creates the first row. */
  example: Call;
  columns: Column<It>[];
  fresh: Draft;
  draftOf: (row: It) => Draft;
  fieldName: (field: string) => string;
  /** The width of the forms, if they need more than the default. */
  width?: number;
  Fields: React.ComponentType<FieldsProps<It, Draft>>;
  read: (id: string) => Promise<Read<It>>;
  create: (draft: Draft) => Promise<unknown>;
  save: (row: It, changed: Partial<Draft>, etag: string, force: boolean) => Promise<unknown>;
  remove: (row: It, force: boolean) => Promise<unknown>;
  /** Refreshes all queries that contain these rows. */
  refresh: () => unknown;
}
