/** A column of a table. */
export interface Column<Row> {
  /** Tells columns apart. */
  key: string;
  header: React.ReactNode;
  render: (row: Row) => React.ReactNode;
  /** `end` for numbers. */
  align?: 'end';
  width?: number | string;
  /** Whether this is the title of the cards on a phone, in place of the first column. */
  isMain?: true;
}
