import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { listIn } from '../api/lists';
import type { components } from '../api/schema';
import { useChange } from '../api/use-change';
import { ofVersion, versioned } from '../api/versioned';

export type Sequence = components['schemas']['ShownSequence'];
export type SequenceRow = components['schemas']['Sequence'];
export type SequenceStatus = components['schemas']['SequenceStatus'];
export type UpdateSequence = components['schemas']['UpdateSequence'];
export type Enrollment = components['schemas']['Enrollment'];
export type EnrollmentStatus = components['schemas']['EnrollmentStatus'];

/** A sequence with the `ETag` of its version. */
export interface Versioned {
  sequence: Sequence;
  etag: string;
}

const allOf = keys.sequences;
const oneOf = (ws: string, id: string) => ['sequence', ws, id];
const enrolledIn = (ws: string, id: string) => ['enrollments', ws, id];

/** Lists sequences by words in the name and by status, newest first. */
export function useSequences(ws: string, { q, status }: { q?: string; status?: SequenceStatus }) {
  return useInfiniteQuery({
    ...listIn(ws, [...allOf(ws), { q, status }], '/api/v1/sequences', {
      query: { q, status, include: 'total' },
    }),
    placeholderData: keepPreviousData,
  });
}

export function readSequence(ws: string, id: string, signal?: AbortSignal): Promise<Versioned> {
  return versioned(
    'sequence',
    apiIn(ws).raw.GET('/api/v1/sequences/{id}', { params: { path: { id } }, signal }),
  );
}

export function useSequence(ws: string, id: string) {
  return useQuery({ queryKey: oneOf(ws, id), queryFn: ({ signal }) => readSequence(ws, id, signal) });
}

export function useCreateSequence(ws: string) {
  return useChange((name: string) => apiIn(ws).POST('/api/v1/sequences', { body: { name } }), allOf(ws));
}

/** Saves the changes of a sequence. Fails if another user changed it since. */
export function useSaveSequence(ws: string, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ body, etag }: { body: UpdateSequence; etag: string }) =>
      versioned(
        'sequence',
        apiIn(ws).raw.PATCH('/api/v1/sequences/{id}', { params: ofVersion(id, etag), body }),
      ),
    onSuccess: (saved) => {
      client.setQueryData(oneOf(ws, id), saved);
      void client.invalidateQueries({ queryKey: allOf(ws) });
      void client.invalidateQueries({ queryKey: enrolledIn(ws, id) });
    },
  });
}

export function useDeleteSequence(ws: string, id: string) {
  return useChange(
    (force: boolean) =>
      apiIn(ws).DELETE('/api/v1/sequences/{id}', { params: { path: { id }, query: { force } } }),
    allOf(ws),
  );
}

/** The current and former enrollments in a sequence, newest first. */
export function useEnrollments(ws: string, id: string, status: EnrollmentStatus | undefined) {
  return useInfiniteQuery(
    listIn(ws, [...enrolledIn(ws, id), status], '/api/v1/sequences/{id}/enrollments', {
      query: { status, limit: 50, include: 'total' },
      path: { id },
    }),
  );
}

export type Act = 'enroll' | 'pause' | 'resume' | 'exit';

/** Enrolls a contact, or pauses, resumes or ends its enrollment. */
export function useEnrolling(ws: string, sequence_id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ act, contact }: { act: Act; contact: string }) => {
      const api = apiIn(ws);
      const call = { params: { path: { id: contact, sequence_id } } };
      const path = '/api/v1/contacts/{id}/sequences/{sequence_id}';
      if (act === 'enroll') await api.POST(path, call);
      else if (act === 'exit') await api.DELETE(path, call);
      else if (act === 'pause') await api.POST(`${path}/pause`, call);
      else await api.POST(`${path}/resume`, call);
    },
    onSettled: () => client.invalidateQueries({ queryKey: enrolledIn(ws, sequence_id) }),
  });
}
