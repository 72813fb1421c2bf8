import type { UseQueryResult } from '@tanstack/react-query';
import type { Call } from '../components/curl';
import type { Column } from '../components/table';

export interface Row {
  id: string;
  name: string;
}

export interface Read<It> {
  row: It;
  etag: string;
}

/** What the fields of a form get. */
export interface FieldsProps<It, Draft> {
  draft: Draft;
  set: (next: Partial<Draft>) => void;
  faults: Record<string, string>;
  /** Absent while it is being created. */
  row: It | undefined;
  readOnly: boolean;
}

/** A text of the page of a catalog. */
type Word = 'title' | 'description' | 'create' | 'filter' | 'emptyText' | 'remove' | 'deleteHint';

/** A short list of things that a workspace defines, such as tags: how its page reads and changes them. */
export interface Catalog<It extends Row, Draft extends object> {
  words: (key: Word) => string;
  list: Pick<UseQueryResult<It[]>, 'data' | 'error' | 'isPending'> & { refetch: () => unknown };
  /** Where the service filters the rows, page by page. */
  pages?: { total: number; more?: () => void; loadingMore: boolean };
  call: Call;
  /** The request that makes the first one. */
  example: Call;
  columns: Column<It>[];
  /** What the filter looks through, where the service does not do it. */
  said?: (row: It) => string;
  fresh: Draft;
  draftOf: (row: It) => Draft;
  fieldName: (field: string) => string;
  /** How wide its forms are, where they need more than usual. */
  width?: number;
  Fields: React.ComponentType<FieldsProps<It, Draft>>;
  read: (id: string) => Promise<Read<It>>;
  create: (draft: Draft) => Promise<unknown>;
  save: (row: It, changed: Partial<Draft>, etag: string, force: boolean) => Promise<unknown>;
  remove: (row: It, force: boolean) => Promise<unknown>;
  /** Reads anew whatever shows these. */
  refresh: () => unknown;
}
