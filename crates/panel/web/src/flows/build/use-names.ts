import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keys } from '../../api/keys';
import { allIn } from '../../api/lists';
import { useWhere } from '../../app/here';
import { mayWrite } from '../../app/places';
import { useAccount } from '../../app/use-session';
import { useChannels, useTags } from '../../conditions/use-fields';
import { useMembers } from '../../members/api';
import { useAssignees } from '../../members/assignees';
import type { Names } from '../graph/summary';

const FRESH = 60_000;

/** The flows of the workspace, as options. */
export function useFlowChoices(enabled = true) {
  const { workspace } = useWhere();
  return useQuery({
    ...allIn(workspace.id, [...keys.flows(workspace.id), 'all'], '/api/v1/flows'),
    enabled,
    staleTime: FRESH,
  });
}

/** The sequences of the workspace, as options. */
export function useSequenceChoices(enabled = true) {
  const { workspace } = useWhere();
  return useQuery({
    ...allIn(workspace.id, [...keys.sequences(workspace.id), 'all'], '/api/v1/sequences'),
    enabled,
    staleTime: FRESH,
  });
}

/**
 * The names of members, by ID. Members of the workspace know those who can be assigned to conversations, admins know
 * all, and viewers know only themselves.
 */
function usePeople(): [id: string, name: string][] {
  const { workspace, live, role, administers } = useWhere();
  const { user } = useAccount();
  const { data: assignees } = useAssignees(workspace.id, mayWrite(role));
  const { data: members } = useMembers(live.id, administers, FRESH);
  return useMemo(
    () => [
      ...(members ?? []).flatMap(({ id, name, email }) => [[id, name ?? email] as [string, string]]),
      ...(assignees ?? []).map(({ id, name }) => [id, name] as [string, string]),
      [user.id, user.name ?? user.email],
    ],
    [assignees, members, user],
  );
}

/** The names of flows, sequences, tags, channels and members, by ID. */
export function useNames(): Names {
  const { data: flows } = useFlowChoices();
  const { data: sequences } = useSequenceChoices();
  const { data: tags } = useTags();
  const { data: channels } = useChannels();
  const people = usePeople();
  return useMemo(() => {
    const objects: { id: string; name: string }[] = [
      ...(flows ?? []),
      ...(sequences ?? []),
      ...(tags ?? []),
      ...(channels ?? []),
    ];
    return new Map([...people, ...objects.map(({ id, name }): [string, string] => [id, name])]);
  }, [flows, sequences, tags, channels, people]);
}
