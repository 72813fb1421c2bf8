import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client';
import type { EventType } from './api';
import { fieldsOf, type Schema } from './schema';

/** The fields of an event type's data, from the OpenAPI document. */
export function useSchemaOf(kind: EventType) {
  return useQuery({
    queryKey: ['openapi'],
    queryFn: ({ signal }) => api.GET('/openapi.json', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    select: (document) => fieldsOf(kind.data_schema as Schema, document as object),
  });
}
