import { Failure, Waiting } from './states';

interface Props<Data> {
  asked: { data: Data | undefined; error: unknown; refetch: () => unknown };
  /** The number of lines in the skeleton. */
  lines?: number;
  children: (data: Data) => React.ReactNode;
}

/**
 * Renders the data of a query. Without data it shows the error or a skeleton. If a refresh fails, the
 * previous data stays.
 */
export function Loaded<Data>({ asked, lines, children }: Props<Data>) {
  if (asked.data !== undefined) return children(asked.data);
  return asked.error ? (
    <Failure error={asked.error} retry={() => void asked.refetch()} />
  ) : (
    <Waiting lines={lines} />
  );
}
