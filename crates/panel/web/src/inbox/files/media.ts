import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { apiIn } from '../../api/client';
import { problemOf } from '../../api/problem';
import { saveFile } from '../../components/save-file';
import type { Message } from '../../sandbox/messages';

/** An attachment of a message. The server stores the content if there is a `media_id`. */
export type Attachment = Message['attachments'][number];

/** The part of the API for stored files. The generated types contain the first version without it. */
interface MediaApi {
  GET: (path: string, options: object) => Promise<unknown>;
  raw: { HEAD: (path: string, options: object) => Promise<{ response: Response; error?: unknown }> };
}

/** Media types that the panel shows. A browser runs no scripts in them. */
const SHOWN = {
  image: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  audio: ['audio/mpeg', 'audio/aac', 'audio/ogg', 'audio/wav', 'audio/mp4'],
  video: ['video/mp4', 'video/webm'],
} as const;
export type Shown = keyof typeof SHOWN;

/** Returns the element for a media type. Types without an element are only downloaded. */
export function shownAs(mimeType: string | null | undefined): Shown | undefined {
  const type = (mimeType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return (Object.keys(SHOWN) as Shown[]).find((it) => (SHOWN[it] as readonly string[]).includes(type));
}

const fileOf = (ws: string, id: string) => ['file', ws, id];

/** Reads the content of a file with the access token, which an `<img>` cannot send. */
async function readFile(ws: string, id: string, signal?: AbortSignal): Promise<Blob> {
  const api = apiIn(ws) as unknown as MediaApi;
  const options = { params: { path: { id } }, parseAs: 'blob', signal };
  return (await api.GET('/api/v1/media/{id}', options)) as Blob;
}

/**
 * The URL of a file for an element of this kind, `blob:…`. The server recognizes the type by the content. A file of
 * another kind has no URL, even if the message claims the type.
 */
export function useShown(ws: string, id: string, kind: Shown, enabled = true) {
  const file = useQuery({
    queryKey: fileOf(ws, id),
    enabled,
    queryFn: ({ signal }) => readFile(ws, id, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
  const blob = file.data && shownAs(file.data.type) === kind ? file.data : undefined;
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!blob) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => {
      setUrl(undefined);
      URL.revokeObjectURL(made);
    };
  }, [blob]);
  return { url, isRefused: file.isError || (file.data !== undefined && !blob) };
}

/** The size of a file in bytes. */
export function useSize(ws: string, id: string, enabled: boolean): number | undefined {
  const { data } = useQuery({
    queryKey: ['file-size', ws, id],
    enabled,
    queryFn: async ({ signal }) => {
      const api = apiIn(ws) as unknown as MediaApi;
      const { response, error } = await api.raw.HEAD('/api/v1/media/{id}', {
        params: { path: { id } },
        signal,
      });
      if (!response.ok) throw problemOf(response, error);
      return Number(response.headers.get('Content-Length') ?? Number.NaN);
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return Number.isFinite(data) ? data : undefined;
}

/** Downloads a file. Its type is removed, because a browser could open it otherwise. */
export function useDownload(ws: string, id: string, name: string) {
  return useMutation({
    mutationFn: async () => {
      const file = await readFile(ws, id);
      saveFile(file.slice(0, file.size, 'application/octet-stream'), name);
    },
  });
}
