import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import type { components } from '../api/schema';
import { allChannels } from '../channels/api';

export type ProviderTemplate = components['schemas']['ProviderTemplate'];
export type TemplateComponent = components['schemas']['ProviderTemplateComponent'];

/** A template with its parameters, as a message names it. */
export type Chosen = components['schemas']['MessageTemplate'];

/** The types of channels with templates at their provider. */
const WITH_TEMPLATES: string[] = ['whatsapp'];
export const hasTemplates = ({ kind }: { kind: string }): boolean => WITH_TEMPLATES.includes(kind);

/** The maximum age of the copy of templates that the server uses, in milliseconds. */
const COPY = 15 * 60_000;

const templatesOf = (ws: string, channel: string) =>
  queryOptions({
    queryKey: [...keys.channels(ws), channel, 'templates'],
    queryFn: ({ signal }) =>
      apiIn(ws).GET('/api/v1/channels/{id}/templates', { params: { path: { id: channel } }, signal }),
    staleTime: COPY,
  });

/** The templates that the provider of a channel stores. */
export function useTemplates(ws: string, channel: string) {
  return useQuery(templatesOf(ws, channel));
}

/** Whether the workspace has a channel with templates. False until the channels are loaded. */
export function useHasTemplates(ws: string): boolean {
  return useQuery(allChannels(ws)).data?.some(hasTemplates) ?? false;
}

/** The templates that all channels of the workspace can send. A template of two channels is listed once. */
export function useAllTemplates(ws: string) {
  const channels = useQuery(allChannels(ws)).data?.filter(hasTemplates) ?? [];
  return useQueries({
    queries: channels.map((it) => templatesOf(ws, it.id)),
    combine: (asked) => ({
      data: asked.every((it) => it.data)
        ? unique(asked.flatMap((it) => it.data?.data ?? []).filter(isApproved))
        : undefined,
      error: asked.find((it) => it.error && !it.data)?.error ?? null,
      refetch: () => Promise.all(asked.filter((it) => it.error).map((it) => it.refetch())),
    }),
  });
}

/** The key of a template. Its name is unique in a language. */
export const keyOf = ({ name, language }: Chosen | ProviderTemplate): string => `${name} ${language ?? ''}`;

export const isApproved = ({ status }: ProviderTemplate): boolean => status === 'APPROVED';

function unique(templates: ProviderTemplate[]): ProviderTemplate[] {
  return [...new Map(templates.map((it) => [keyOf(it), it])).values()];
}

/** Names a template. Values of parameters that it also has stay. */
export function chosen({ name, language, parameters }: ProviderTemplate, before?: Chosen): Chosen {
  const known = parameters.flatMap((it) => {
    const value = before?.parameters?.[it.name];
    return value ? [[it.name, value] as const] : [];
  });
  return { name, language, ...(known.length > 0 && { parameters: Object.fromEntries(known) }) };
}

/** Sets a parameter of a template. An empty one is removed. */
export function withParameter(template: Chosen, name: string, value: string): Chosen {
  const { parameters: before, ...rest } = template;
  const all = Object.entries({ ...before, [name]: value }).filter(([, it]) => it !== '');
  return { ...rest, ...(all.length > 0 && { parameters: Object.fromEntries(all) }) };
}

/** The text of a component with the values of its placeholders. A placeholder without a value stays. */
export function filledText(
  { type, text }: Pick<TemplateComponent, 'type' | 'text'>,
  parameters: Record<string, string> = {},
): string {
  const prefix = type === 'HEADER' ? 'header.' : '';
  return (text ?? '').replaceAll(
    /\{\{\s*([^{}\s]+)\s*\}\}/g,
    (all, name: string) => parameters[prefix + name] || all,
  );
}
