import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { fromFindings, type Told } from './finding';

/** The pause in typing before a validation, in milliseconds. */
const REST = 400;

/** The findings for a definition. It is validated after a pause in typing. */
export function useValidation(ws: string, flow: string, definition: object | undefined) {
  const text = definition && JSON.stringify(definition);
  const [rested] = useDebouncedValue(text, REST);
  const asked = useQuery({
    queryKey: [...keys.flowValidation(ws), flow, rested],
    enabled: rested !== undefined,
    queryFn: async ({ signal }): Promise<Told[]> => {
      const { findings } = await apiIn(ws).POST('/api/v1/flows/validate', {
        body: { definition: JSON.parse(rested ?? '{}'), flow_id: flow },
        signal,
      });
      return fromFindings(findings);
    },
    placeholderData: (before) => before,
    gcTime: 30_000,
  });
  return { ...asked, current: rested === text && !asked.isPlaceholderData };
}
