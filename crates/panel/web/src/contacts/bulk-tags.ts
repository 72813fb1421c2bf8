import type { QueryClient } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { Problem, sentence } from '../api/problem';
import { isWorthRepeating, pause } from '../api/queries';
import { type BulkOperation, cancelOperation, operationsOf, post, readOperation } from '../bulk/api';
import { isOver } from '../components/work';
import type { Condition } from '../conditions/grammar';
import { errorMessage } from '../i18n/outcomes';
import { texts } from '../i18n/texts';
import { type Contact, patchRows } from './api';
import { chunks, type Going, type Outcome } from './bulk';
import type { Action } from './bulk-actions';
import type { ChosenTag } from './tag-menu';

const t = texts('contacts');

/** The most IDs in a comparison, and the most contacts on a page of a search. */
const LISTED = 100;
/** The most comparisons in a condition. */
const COMPARISONS = 50;
/** The most contacts that a condition can name. */
export const MOST_NAMED = LISTED * COMPARISONS;
/** The first and the longest polling interval, in milliseconds. */
const SOON = 100;
const SELDOM = 1_000;

/** Adds or removes a tag with one bulk operation, and returns an outcome for each contact. */
export function tagging(client: QueryClient, ws: string, type: 'tag' | 'untag', tag: ChosenTag): Action {
  let made: string | undefined;
  return {
    size: MOST_NAMED,
    act: async (ids, going) => {
      made ??= 'tag_id' in tag ? tag.tag_id : await tagNamed(ws, tag.name);
      const begun = await post(ws, { filter: named(ids), action: { type, tag_id: made } });
      const operation = await followed(client, ws, begun, going);
      void client.invalidateQueries({ queryKey: operationsOf(ws) });
      const now = await readAgain(client, ws, ids);
      const chosen = new Set(ids);
      // Deleted contacts are removed from all lists.
      patchRows(client, ws, (row) => (chosen.has(row.id) ? now.get(row.id) : row));
      return outcomeOf(ids, now, operation, made);
    },
  };
}

/**
 * The outcome for each contact. If the operation was cancelled, contacts that were not reached are omitted.
 */
export function outcomeOf(
  ids: string[],
  now: ReadonlyMap<string, Contact>,
  { action, status, error }: BulkOperation,
  tag: string,
): Outcome {
  const isMeant = (it: Contact) => it.tags.some(({ id }) => id === tag) === (action.type === 'tag');
  const full = action.type === 'tag' ? t('tooManyTags') : undefined;
  const why = error ? sentence(errorMessage(error)) : full;
  const told = ids.flatMap((id): [string, string | undefined][] => {
    const it = now.get(id);
    if (!it) return [[id, t('goneMeanwhile')]];
    if (isMeant(it)) return [[id, undefined]];
    return status === 'cancelled' ? [] : [[id, why]];
  });
  return Object.fromEntries(told);
}

/** A condition that matches the contacts with these IDs. */
export function named(ids: string[]): Condition {
  const [only, ...others] = chunks(ids, LISTED).map((value) => ({ field: 'id', op: 'in' as const, value }));
  return only && others.length === 0 ? only : { any: only ? [only, ...others] : [] };
}

/** Returns the ID of the tag with this name. Creates the tag if it is missing. */
async function tagNamed(ws: string, name: string): Promise<string> {
  try {
    return (await apiIn(ws).POST('/api/v1/tags', { body: { name } })).id;
  } catch (error) {
    const known = error instanceof Problem && error.code === 'name_taken' && error.more.existing_id;
    if (typeof known !== 'string') throw error;
    return known;
  }
}

/** Polls an operation until it ends. Cancels it if the signal is aborted. */
async function followed(
  client: QueryClient,
  ws: string,
  begun: BulkOperation,
  { signal, tell, sleep }: Going,
): Promise<BulkOperation> {
  let it = begun;
  let halted = false;
  for (let wait = SOON; !isOver(it); wait = Math.min(wait * 2, SELDOM)) {
    if (signal.aborted && !halted) {
      halted = true;
      it = await cancelOperation(ws, it.id);
    } else {
      await sleep(wait);
      it = await patiently(client, [...operationsOf(ws), 'followed', it.id], () => readOperation(ws, it.id));
    }
    tell(it.done);
  }
  return it;
}

/** Reads the selected contacts again, by ID. */
async function readAgain(client: QueryClient, ws: string, ids: string[]): Promise<Map<string, Contact>> {
  const found = new Map<string, Contact>();
  for (const some of chunks(ids, LISTED)) {
    const { data } = await patiently(client, [...keys.contacts(ws), 'again', some], () =>
      apiIn(ws).POST('/api/v1/contacts/search', { body: { filter: named(some), limit: LISTED } }),
    );
    for (const it of data) found.set(it.id, it);
  }
  return found;
}

/** Reads without a cache, and retries while the server is unreachable or the rate limit is exceeded. */
function patiently<T>(client: QueryClient, queryKey: unknown[], queryFn: () => Promise<T>): Promise<T> {
  return client.fetchQuery({
    queryKey,
    queryFn,
    staleTime: 0,
    gcTime: 0,
    retry: isWorthRepeating,
    retryDelay: pause,
  });
}
