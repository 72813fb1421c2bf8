import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import type { Finding } from './definition';
import { fromFindings } from './finding';
import type { NodeLabels } from './node-labels';

/** The pause in typing before a validation, in milliseconds. */
const REST = 400;

/** The findings for a definition with these nodes. It is validated after a pause in typing. */
export function useValidation(ws: string, flow: string, definition: object | undefined, labels: NodeLabels) {
  const text = definition && JSON.stringify(definition);
  const [rested] = useDebouncedValue(text, REST);
  const asked = useQuery({
    queryKey: [...keys.flowValidation(ws), flow, rested],
    enabled: rested !== undefined,
    queryFn: async ({ signal }): Promise<Finding[]> => {
      const { findings } = await apiIn(ws).POST('/api/v1/flows/validate', {
        body: { definition: JSON.parse(rested ?? '{}'), flow_id: flow },
        signal,
      });
      return findings;
    },
    placeholderData: (before) => before,
    gcTime: 30_000,
  });
  const { data: findings } = asked;
  const data = useMemo(() => findings && fromFindings(findings, labels), [findings, labels]);
  return { ...asked, data, current: rested === text && !asked.isPlaceholderData };
}
