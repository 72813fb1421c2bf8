import { Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Failure } from '../components/states';
import { Histogram } from './histogram';
import classes from './histogram.module.css';
import type { LogSearch } from './search';
import { useHistogram } from './use-log';

interface Props {
  ws: string;
  search: LogSearch;
  live: boolean;
  onChoose: (span: { from: string; to: string }) => void;
}

/** The histogram, or its error or placeholder. */
export function HistogramCard({ ws, search, live, onChoose }: Props) {
  const counts = useHistogram(ws, search, live);
  if (counts.data) return <Histogram counts={counts.data} onChoose={onChoose} />;
  if (counts.error) {
    return (
      <div className={classes.failure}>
        <Failure error={counts.error} retry={() => void counts.refetch()} />
      </div>
    );
  }
  return <Placeholder />;
}

/** A placeholder with the height of the histogram. The page then does not move. */
function Placeholder() {
  const [shown, show] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => show(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return <div className={classes.placeholder}>{shown && <Skeleton height="100%" />}</div>;
}
