import { Failure, Waiting } from './states';

interface Props<Data> {
  asked: { data: Data | undefined; error: unknown; refetch: () => unknown };
  /** The lines of the skeleton. */
  lines?: number;
  children: (data: Data) => React.ReactNode;
}

/** The data of a query. Without any: its error, or a skeleton. Data that was read before stays when a query fails. */
export function Loaded<Data>({ asked, lines, children }: Props<Data>) {
  if (asked.data !== undefined) return children(asked.data);
  return asked.error ? (
    <Failure error={asked.error} retry={() => void asked.refetch()} />
  ) : (
    <Waiting lines={lines} />
  );
}
