export interface Column<Row> {
  /** The unique key of the column. */
  key: string;
  header: React.ReactNode;
  render: (row: Row) => React.ReactNode;
  /** `end` for numbers. */
  align?: 'end';
  width?: number | string;
  /** Whether this column is the title of a card on a phone. The default is the first column. */
  isMain?: true;
  /** Whether this column has a line of its own on a card, below the others. */
  isWide?: true;
}
