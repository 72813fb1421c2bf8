import type { components } from '../api/schema';

type Schemas = components['schemas'];

/** The type of a message with files of these media types. Files of several kinds are sent as files. */
export function typeOf(mimeTypes: string[]): Schemas['MessageType'] {
  if (mimeTypes.length === 0) return 'text';
  const kinds = ['image', 'audio', 'video'] as const;
  return kinds.find((kind) => mimeTypes.every((it) => it.startsWith(`${kind}/`))) ?? 'file';
}
